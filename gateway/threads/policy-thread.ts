import { parentPort } from 'node:worker_threads';
import { createDecisionBook } from '#gateway/policy/decision-book.ts';
import { preparePolicies } from '#gateway/policy/engine.ts';
import { policyContentOf } from '#gateway/release/policy-content.ts';
import type { FromPolicy, Numbered, ToPolicy } from './messages.ts';

/**
 * The thread in which Cedar runs: its decisions take up to a millisecond, which no serving thread should wait for. It
 * holds the policies of the releases it was given; the process replaces the thread now and then, since nothing frees a
 * prepared policy set.
 */
const book = createDecisionBook({
  nowMs: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
});

async function answer(message: ToPolicy): Promise<FromPolicy> {
  if (message.kind === 'decide') return { kind: 'decided', answer: book.decide(message.sha256, message.question) };
  const { sha256, table } = message.release;
  const prepared = preparePolicies(sha256, policyContentOf(table));
  if ('problem' in prepared) return { kind: 'loaded', problem: prepared.problem };
  await book.open(sha256, prepared.decide);
  return { kind: 'loaded', problem: null };
}

parentPort?.on('message', async ({ id, message }: Numbered<ToPolicy>) => {
  parentPort?.postMessage({ id, message: await answer(message) } satisfies Numbered<FromPolicy>);
});
