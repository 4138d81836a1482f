import type { PolicyAnswer, PolicyQuestion } from '#gateway/policy/question.ts';
import { type AskedThread, startAskedThread } from './ask-thread.ts';
import type { FromPolicy, PolicyRelease, ToPolicy } from './messages.ts';

/** Releases that one policy thread prepares before it is replaced. */
const MAX_LOADS = 50;
/** Releases that stay decidable: the one served, and the one before it for requests that began under it. */
const KEEP = 2;

/** The main thread's side of the policy thread. */
export interface PolicyHost {
  /** Prepares a release's policies, for its probes. Returns a sentence when they cannot be read. */
  load(release: PolicyRelease): Promise<string | null>;
  /** The release is about to be served: it and the one before it outlive a change of threads. */
  keep(release: PolicyRelease): void;
  /** It was not served after all. */
  forget(release: PolicyRelease): void;
  /** Null when the release is not among the last two. */
  decide(sha256: string, question: PolicyQuestion): Promise<PolicyAnswer | null>;
  stop(): Promise<void>;
}

interface Thread extends AskedThread<ToPolicy, FromPolicy> {
  loads: number;
}

export function startPolicyHost(say: (sentence: string) => void): PolicyHost {
  const releases: PolicyRelease[] = [];
  /** Threads that were replaced on purpose. */
  const retired = new WeakSet<object>();
  let stopping = false;
  const start = (): Thread => {
    const started: Thread = {
      ...startAskedThread<ToPolicy, FromPolicy>(new URL('./policy-thread.ts', import.meta.url), {
        onExit: () => {
          if (stopping || retired.has(started.worker)) return;
          say('The policy thread stopped; a new one takes over.');
          thread = replace();
        },
      }),
      loads: 0,
    };
    return started;
  };
  /** A fresh thread takes over once it holds everything the old one could still be asked about. */
  const replace = async (): Promise<Thread> => {
    const fresh = start();
    for (const release of releases) {
      fresh.loads += 1;
      await fresh.ask({ kind: 'load', release });
    }
    return fresh;
  };
  let thread = Promise.resolve(start());
  return {
    load: async (release) => {
      const old = await thread;
      if (old.loads >= MAX_LOADS) {
        thread = Promise.resolve(await replace());
        retired.add(old.worker);
        retire(old);
      }
      const current = await thread;
      current.loads += 1;
      const answer = await current.ask({ kind: 'load', release });
      return answer.kind === 'loaded' ? answer.problem : 'The policy thread gave no answer.';
    },
    keep: (release) => {
      releases.push(release);
      if (releases.length > KEEP) releases.shift();
    },
    forget: (release) => {
      const index = releases.indexOf(release);
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

/** What a replaced thread still owes is answered before it ends. */
function retire({ worker }: Thread): void {
  setTimeout(() => void worker.terminate(), 5_000).unref();
}
