import { findChromium } from '#test/support/chromium.ts';
import { generateSteps, staticSteps } from '#test/support/static-steps.ts';
import { nodeStep, runLanes, type Step, summarize, vitestStep } from '#test/support/steps.ts';

// `npm test`: everything, about three quarters of an hour on two cores. The last line sums all runners.
const chromium = await findChromium();

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

// Whole processes are started one after another, so that two cores time none of them out.
const wholeSteps = [
  nodeStep('build of the console', 'server/launch/build.ts'),
  vitestStep('slow tests', ['--project', 'slow']),
  browserStep,
];

const generated = await runLanes([generateSteps]);
const checked = await runLanes([staticSteps, [vitestStep('quick tests', ['--project', 'unit'])]]);
const whole = await runLanes([wholeSteps]);
process.exit(summarize([...generated, ...checked, ...whole]));
