#!/usr/bin/env node
// What `npx habitat` runs. An old Node cannot read the TypeScript that follows, so this file is plain CommonJS.
'use strict';
require('#server/launch/require-node.cjs');
import('./main.ts');
