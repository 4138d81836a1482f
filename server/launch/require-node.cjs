// Preloaded by the npm scripts. An old Node cannot read the TypeScript that follows, so this file is plain CommonJS.
'use strict';
const NEEDED = 24;
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(
    `Habitat needs Node ${NEEDED} or newer and this is ${process.version}: run npm ci without --omit=optional, which brings one, or install a newer Node.\n`,
  );
  process.exit(1);
}
