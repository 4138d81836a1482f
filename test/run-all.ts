import { join, resolve } from 'node:path';
import { ensureConsoleBuild } from '#server/launch/build-console.ts';
import { findChromium } from '#test/support/chromium.ts';
import { generateStep, staticSteps } from '#test/support/static-steps.ts';
import { runLanes, type Step, summarize, vitestStep } from '#test/support/steps.ts';

// `npm test`: everything, under ten minutes on two cores. The last line sums all runners.
const root = resolve(import.meta.dirname, '..');
const chromium = await findChromium();

const buildStep: Step = {
  name: 'build of the console',
  run: async () => {
    const logFile = join(root, 'node_modules', '.cache', 'build.log');
    const say = (line: string) => process.stdout.write(`${line}\n`);
    await ensureConsoleBuild({ root, logFile, env: process.env, say, onStart: () => undefined });
    return { passed: 1, failed: 0, skipped: 0 };
  },
};

const browserStep: Step =
  'path' in chromium
    ? vitestStep('browser tests', ['--project', 'e2e'], { CHROMIUM_PATH: chromium.path })
    : {
        name: 'browser tests',
        run: async () => {
          process.stdout.write(`${chromium.problem}\n`);
          return { passed: 0, failed: 1, skipped: 0 };
        },
      };

const results = [
  ...(await runLanes([[generateStep]])),
  ...(await runLanes([staticSteps, [vitestStep('quick tests', ['--project', 'unit'])]])),
  ...(await runLanes([[vitestStep('slow tests', ['--project', 'slow']), buildStep, browserStep]])),
];
process.exit(summarize(results));
