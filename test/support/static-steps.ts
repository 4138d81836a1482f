import { resolve } from 'node:path';
import { ensureClient } from '#server/launch/generate-client.ts';
import { nodeStep, type Step } from './steps.ts';

/** Makes what is generated and not in the repository, without which types cannot be checked. */
export const generateStep: Step = {
  name: 'generate',
  run: async () => {
    await ensureClient(resolve(import.meta.dirname, '..', '..'));
    return nodeStep('generate', 'node_modules/next/dist/bin/next', 'typegen').run();
  },
};

/** Everything that is checked without running the product. */
export const staticSteps: readonly Step[] = [
  nodeStep('format and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'),
  nodeStep('types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'),
  nodeStep('dead code', 'node_modules/knip/bin/knip.js', '--no-config-hints'),
];
