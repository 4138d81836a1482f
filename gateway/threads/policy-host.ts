import { Worker } from 'node:worker_threads';
import type { PolicyAnswer, PolicyQuestion } from '#gateway/policy/question.ts';
import type { ReleaseContent } from '#gateway/release/content.ts';
import type { FromPolicy, ToPolicy } from './messages.ts';

/** Releases that one policy thread prepares before it is replaced. */
const MAX_LOADS = 50;
/** Releases that stay decidable: the one served, and the one before it for requests that began under it. */
const KEEP = 2;

/** The main thread's side of the policy thread. */
export interface PolicyHost {
  /** Prepares a release's policies, for its probes. Returns a sentence when they cannot be read. */
  load(content: ReleaseContent): Promise<string | null>;
  /** The release is about to be served: it and the one before it outlive a change of threads. */
  keep(content: ReleaseContent): void;
  /** It was not served after all. */
  forget(content: ReleaseContent): void;
  /** Null when the release is not among the last two. */
  decide(sha256: string, question: PolicyQuestion): Promise<PolicyAnswer | null>;
  stop(): Promise<void>;
}

type Asked = ToPolicy extends infer M ? (M extends { id: number } ? Omit<M, 'id'> : never) : never;

interface Thread {
  readonly worker: Worker;
  loads: number;
  ask(message: Asked): Promise<FromPolicy>;
}

export function startPolicyHost(say: (sentence: string) => void): PolicyHost {
  const releases: ReleaseContent[] = [];
  let stopping = false;
  const onExit = () => {
    if (stopping) return;
    say('The policy thread stopped; a new one takes over.');
    thread = replace();
  };
  let thread = Promise.resolve(startThread(onExit));

  /** A fresh thread takes over once it holds everything the old one could still be asked about. */
  const replace = async (): Promise<Thread> => {
    const fresh = startThread(onExit);
    for (const content of releases) {
      fresh.loads += 1;
      await fresh.ask({ kind: 'load', content });
    }
    return fresh;
  };
  return {
    load: async (content) => {
      const old = await thread;
      if (old.loads >= MAX_LOADS) {
        const fresh = await replace();
        thread = Promise.resolve(fresh);
        retire(old);
      }
      const current = await thread;
      current.loads += 1;
      const answer = await current.ask({ kind: 'load', content });
      return answer.kind === 'loaded' ? answer.problem : 'The policy thread gave no answer.';
    },
    keep: (content) => {
      releases.push(content);
      if (releases.length > KEEP) releases.shift();
    },
    forget: (content) => {
      const index = releases.indexOf(content);
      if (index >= 0) releases.splice(index, 1);
    },
    decide: async (sha256, question) => {
      const answer = await (await thread).ask({ kind: 'decide', sha256, question });
      return answer.kind === 'decided' ? answer.answer : null;
    },
    stop: async () => {
      stopping = true;
      await (await thread).worker.terminate();
    },
  };
}

function startThread(onExit: () => void): Thread {
  const worker = new Worker(new URL('./policy-thread.ts', import.meta.url));
  const waiting = new Map<number, { resolve: (answer: FromPolicy) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  worker.on('message', (answer: FromPolicy) => {
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  const fail = (error: Error) => {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => {
    fail(new Error('The policy thread stopped.'));
    if (!retired.has(worker)) onExit();
  });
  return {
    worker,
    loads: 0,
    ask: (message) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...message, id } satisfies ToPolicy);
      }),
  };
}

/** Threads that were replaced on purpose; what they still owe is answered before they end. */
const retired = new WeakSet<Worker>();

function retire({ worker }: Thread): void {
  retired.add(worker);
  setTimeout(() => void worker.terminate(), 5_000).unref();
}
