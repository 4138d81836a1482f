import type { MessagePort } from 'node:worker_threads';
import type { PolicyAnswer, PolicyQuestion } from '#gateway/policy/question.ts';
import type { FromWorker, ReleaseMessage, ToWorker } from './messages.ts';

/** A serving thread's side of its connection to the main thread. */
export interface Link {
  send(message: FromWorker): void;
  /** Null when the release is too old to be decided under. */
  decide(sha256: string, question: PolicyQuestion): Promise<PolicyAnswer | null>;
  ask(what: 'metrics' | 'readiness'): Promise<string>;
}

export function createLink(
  port: MessagePort,
  handlers: { readonly onRelease: (message: ReleaseMessage) => void; readonly onDrain: () => void },
): Link {
  const decisions = new Map<number, (answer: PolicyAnswer | null) => void>();
  const answers = new Map<number, (text: string) => void>();
  let nextId = 1;
  const send = (message: FromWorker) => port.postMessage(message);
  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'release':
        return handlers.onRelease(message);
      case 'decided':
        decisions.get(message.id)?.(message.answer);
        decisions.delete(message.id);
        return;
      case 'told':
        answers.get(message.id)?.(message.text);
        answers.delete(message.id);
        return;
      case 'drain':
        return handlers.onDrain();
    }
  });
  return {
    send,
    decide: (sha256, question) =>
      new Promise((resolve) => {
        const id = nextId++;
        decisions.set(id, resolve);
        send({ kind: 'decide', id, sha256, question });
      }),
    ask: (what) =>
      new Promise((resolve) => {
        const id = nextId++;
        answers.set(id, resolve);
        send({ kind: 'ask', id, what });
      }),
  };
}
