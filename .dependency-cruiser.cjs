'use strict';

// The arrows of ARCHITECTURE.md. `npm run check` and test/architecture run them; a broken one fails the build.
const CONTRACTS = '^(server|gateway)/contract/';
const FEATURES = 'tokens|registry|changes|releases|policies|tenants|gateways|telemetry|home|cosmos';
const PURE = '^(gateway/(pipeline|policy)|server/compile)/';
const GATEWAY_ADAPTERS =
  '^gateway/(release|store|content|cache|feed|quota|telemetry|audit|http|sealed|threads|emulator)/';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid(
      'A1',
      'the gateway imports only the gateway',
      { path: '^gateway/' },
      { path: '^(app|components|server|prisma|test)/' },
    ),
    forbid(
      'A1-client',
      'the client is a package of its own: it imports nothing else of the gateway',
      { path: '^gateway/client/' },
      { path: '^gateway/', pathNot: '^gateway/client/' },
    ),
    forbid(
      'A2',
      'outside the gateway, only gateway/contract and the client are imported',
      { pathNot: '^(gateway|test)/' },
      { path: '^gateway/', pathNot: '^gateway/(contract|client)/' },
    ),
    forbid(
      'A3',
      'components import only contracts and components',
      { path: '^components/' },
      { path: '^(app|server|gateway|prisma|test)/', pathNot: CONTRACTS },
    ),
    forbid(
      'A4-files',
      'contracts import only contracts and zod',
      { path: CONTRACTS },
      { path: '^(app|components|server|gateway|prisma|test)/', pathNot: CONTRACTS },
    ),
    forbid(
      'A4-packages',
      'contracts import only contracts and zod',
      { path: CONTRACTS },
      {
        dependencyTypesNot: ['local', 'localmodule', 'aliased', 'aliased-subpath-import'],
        pathNot: 'node_modules/zod/',
      },
    ),
    forbid(
      'A4-direction',
      "the gateway's contract does not know the console's",
      { path: '^gateway/' },
      { path: '^server/' },
    ),
    forbid(
      'A5',
      '@azure/cosmos is imported in gateway/store alone',
      { pathNot: '^(gateway/store|test)/' },
      { path: 'node_modules/@azure/cosmos/' },
    ),
    forbid(
      'A6-client',
      'the Prisma client is imported in server/db alone',
      { pathNot: '^(server/db|prisma|test)/' },
      { path: ['^prisma/client/', 'node_modules/@prisma/'] },
    ),
    forbid(
      'A6-app',
      'app and components never touch server/db',
      { path: '^(app|components)/' },
      { path: '^server/db/' },
    ),
    forbid(
      'A7-builtins',
      'pipeline, policy and compile use no Node builtins',
      { path: PURE },
      { dependencyTypes: ['core'] },
    ),
    forbid('A7-adapters', 'pipeline, policy and compile use no adapters', { path: PURE }, { path: GATEWAY_ADAPTERS }),
    forbid(
      'A8',
      'features of server/ never import each other',
      { path: `^server/(${FEATURES})/` },
      { path: `^server/(${FEATURES})/`, pathNot: '^server/$1/' },
    ),
    forbid(
      'A8-cli',
      "the habitat command talks to the console's API alone: it imports contracts",
      { path: '^server/cli/' },
      { path: '^(app|components|server|gateway|prisma|test)/', pathNot: ['^server/cli/', CONTRACTS] },
    ),
    forbid('A8-cli-alone', 'nothing imports the command', { pathNot: '^(server/cli|test)/' }, { path: '^server/cli/' }),
    forbid('A9', 'nothing imports test', { pathNot: '^test/' }, { path: '^test/' }),
    forbid('A10-cycles', 'no cycles', {}, { circular: true }),
    forbid(
      'A10-orphans',
      'no orphans',
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.css$',
          '\\.(config|setup)\\.',
          '^\\.',
          '^test/support/empty-module\\.ts$',
          '\\.cjs$',
        ],
      },
      {},
    ),
    forbid(
      'resolvable',
      'every import resolves',
      {},
      { couldNotResolve: true, pathNot: '^(server-only|vitest/config)$' },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/client/'] },
    exclude: { path: ['^\\.next/', '^prisma/client/(?!client\\.ts)', '^coverage/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
  },
};
