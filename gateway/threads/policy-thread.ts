import { parentPort } from 'node:worker_threads';
import { type Decide, preparePolicies } from '#gateway/policy/engine.ts';
import type { FromPolicy, ToPolicy } from './messages.ts';

/**
 * The thread in which Cedar runs: its decisions take up to a millisecond, which no serving thread should wait for. It
 * holds the policies of the releases it was given; the process replaces the thread now and then, since nothing frees a
 * prepared policy set.
 */
const decideBy = new Map<string, Decide>();

function answer(message: ToPolicy): FromPolicy {
  if (message.kind === 'load') {
    const { sha256, items } = message.content;
    const prepared = preparePolicies(sha256, items);
    if ('problem' in prepared) return { kind: 'loaded', id: message.id, problem: prepared.problem };
    decideBy.set(sha256, prepared.decide);
    return { kind: 'loaded', id: message.id, problem: null };
  }
  const decide = decideBy.get(message.sha256);
  return { kind: 'decided', id: message.id, answer: decide === undefined ? null : decide(message.question) };
}

parentPort?.on('message', (message: ToPolicy) => parentPort?.postMessage(answer(message)));
