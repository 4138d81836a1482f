import { nextShot, preparation } from './mix.ts';
import { readOptions, type TrafficOptions } from './options.ts';
import { progressLine, summary } from './report.ts';
import { type Hit, send, sendSteadily } from './send.ts';

const MAX_OPEN = 64;
const PROGRESS_EVERY_MS = 5_000;

/** `npm run traffic`: a bounded sample load on the seeded types of tenant chat, through the gateway on this machine. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env.HABITAT_HOME ?? '.habitat');
  const { gatewayUrl, consoleUrl, seconds, perSecond } = options;
  console.log(`Sample load on ${gatewayUrl}: ${perSecond} requests a second for ${seconds} s, tenant chat.`);
  if (consoleUrl !== null) console.log(`Watch it at ${consoleUrl}/latency/chat. Ctrl-C ends it.`);
  for (const shot of preparation()) {
    const hit = await send(shot, performance.now(), options);
    if (!hit.isServed) throw new Error(`The gateway refuses the load before it began: ${shot.path} got ${hit.result}.`);
  }
  const hits = await run(options);
  console.log(`\n${summary(hits)}`);
  process.exitCode = hits.some(({ isServed }) => isServed) ? 0 : 1;
}

async function run(options: TrafficOptions): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  let reported = 0;
  let stopped = false;
  process.once('SIGINT', () => {
    stopped = true;
  });
  const startMs = performance.now();
  const progress = setInterval(() => {
    console.log(progressLine((performance.now() - startMs) / 1_000, hits.slice(reported)));
    reported = hits.length;
  }, PROGRESS_EVERY_MS);
  const pace = { perSecond: options.perSecond, seconds: options.seconds, maxOpen: MAX_OPEN };
  await sendSteadily(() => nextShot(Math.random), pace, {
    target: options,
    onHit: (hit) => hits.push(hit),
    isStopped: () => stopped,
  });
  clearInterval(progress);
  return hits;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
