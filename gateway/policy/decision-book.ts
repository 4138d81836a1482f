import type { Decide } from './engine.ts';
import { decisionKey, type PolicyAnswer, type PolicyQuestion } from './question.ts';

/** Decisions remembered for one release; a release has far fewer combinations that are really asked for. */
const MAX_REMEMBERED = 100_000;
/** Decisions of the release before that are made again ahead, and for how long at most. */
const MAX_AHEAD = 20_000;
const MAX_AHEAD_MS = 1_000;
/** The thread answers others at least this often meanwhile. */
const SLICE_MS = 2;

/** The decisions of the releases that a policy thread holds, each made once for all who ask. */
export interface DecisionBook {
  /**
   * Takes a release. Resolves once what was asked of the newest one before it is decided under this one too, so that the
   * requests after a swap find their decisions made.
   */
  open(sha256: string, decide: Decide): Promise<void>;
  /** Null when it does not hold the release. */
  decide(sha256: string, question: PolicyQuestion): PolicyAnswer | null;
}

interface Page {
  readonly decide: Decide;
  readonly made: Map<string, { readonly question: PolicyQuestion; readonly answer: PolicyAnswer }>;
}

export function createDecisionBook({
  nowMs,
  pause,
}: {
  readonly nowMs: () => number;
  /** Lets what waits take its turn. */
  readonly pause: () => Promise<void>;
}): DecisionBook {
  const pages = new Map<string, Page>();
  let newest: Page | null = null;
  return {
    open: async (sha256, decide) => {
      const page: Page = { decide, made: new Map() };
      const before = newest;
      pages.set(sha256, page);
      newest = page;
      if (before === null) return;
      const startedMs = nowMs();
      let sliceMs = startedMs;
      for (const { question } of [...before.made.values()].slice(-MAX_AHEAD)) {
        if (nowMs() - startedMs > MAX_AHEAD_MS) return;
        decideOn(page, question);
        if (nowMs() - sliceMs < SLICE_MS) continue;
        await pause();
        sliceMs = nowMs();
      }
    },
    decide: (sha256, question) => {
      const page = pages.get(sha256);
      return page === undefined ? null : decideOn(page, question);
    },
  };
}

function decideOn({ decide, made }: Page, question: PolicyQuestion): PolicyAnswer {
  const key = decisionKey(question);
  const known = made.get(key);
  if (known !== undefined) return known.answer;
  const answer = decide(question);
  if (made.size < MAX_REMEMBERED) made.set(key, { question, answer });
  return answer;
}
