import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const serverOnly = fileURLToPath(new URL('./test/support/empty-module.ts', import.meta.url));

export default defineConfig({
  resolve: { alias: { 'server-only': serverOnly } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    // What a test waits for is bounded for a machine many times slower; a pass never waits for the bound.
    expect: { poll: { timeout: 45_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', 'test/bench/**', '**/*.slow.test.*'],
          globalSetup: ['test/support/postgres-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          pool: 'forks',
          // Files of one process share its modules, which halves the work. What a file sets, it sets back; what cannot be
          // set back, like what a library keeps of its first call, is among the slow tests, which are isolated.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          // Real command lines and whole processes, started and killed: `npm test` runs them, `npm run check` does not.
          include: ['test/**/*.slow.test.ts'],
          exclude: ['test/e2e/**', 'test/bench/**'],
          globalSetup: ['test/support/postgres-server.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // One browser and one set of processes at a time: these tests own ports and a data folder.
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          pool: 'forks',
        },
      },
    ],
  },
});
