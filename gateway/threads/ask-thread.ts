import { Worker } from 'node:worker_threads';
import type { Numbered } from './messages.ts';

/** A thread that answers questions. */
export interface AskedThread<Ask, Answer> {
  readonly worker: Worker;
  /** Rejects when the thread ends without an answer, or has ended. */
  ask(message: Ask): Promise<Answer>;
}

export interface ThreadOptions {
  readonly workerData?: unknown;
  /** Called once, when the thread ended for whatever reason. */
  readonly onExit: () => void;
}

/** Starts a thread whose file answers by `answerQuestions`. */
export function startAskedThread<Ask, Answer>(file: URL, options: ThreadOptions): AskedThread<Ask, Answer> {
  const worker = new Worker(file, { workerData: options.workerData });
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let hasEnded = false;
  worker.on('message', ({ id, message }: Numbered<Answer>) => {
    waiting.get(id)?.resolve(message);
    waiting.delete(id);
  });
  const fail = (error: Error) => {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => {
    hasEnded = true;
    fail(new Error('The thread stopped.'));
    options.onExit();
  });
  return {
    worker,
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(new Error('The thread stopped.'));
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, message } satisfies Numbered<Ask>);
      }),
  };
}
