import { nodeStep, type Step } from './steps.ts';

/** Makes what is generated and not in the repository, without which types cannot be checked. */
export const generateSteps: readonly Step[] = [
  nodeStep('database client', 'server/launch/generate-client.ts'),
  nodeStep('route types', 'node_modules/next/dist/bin/next', 'typegen'),
];

/** Everything that is checked without running the product. */
export const staticSteps: readonly Step[] = [
  nodeStep('format and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'),
  nodeStep('types', 'node_modules/typescript-native/bin/tsc', '--noEmit', '-p', 'tsconfig.json'),
  nodeStep('dead code', 'node_modules/knip/bin/knip.js', '--no-config-hints'),
];
