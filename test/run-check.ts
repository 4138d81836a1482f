import { generateSteps, staticSteps } from '#test/support/static-steps.ts';
import { runLanes, summarize, vitestStep } from '#test/support/steps.ts';

// `npm run check`: what to run while working, some minutes on two cores. The arrows are among the tests.
const generated = await runLanes([generateSteps]);
const checked = await runLanes([staticSteps, [vitestStep('quick tests', ['--project', 'unit'])]]);
process.exit(summarize([...generated, ...checked]));
