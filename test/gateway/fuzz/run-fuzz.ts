import { drawCase } from './draw-case.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { judgeCase } from './judge-case.ts';
import { openLine } from './send-case.ts';

const LINES = 24;
const MOST_PROBLEMS = 10;

export interface FuzzRun {
  readonly seed: number;
  /** The first case and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Where a wrong case says how it is played alone. */
  readonly replay: (index: number) => string;
}

export interface FuzzReport {
  readonly cases: number;
  readonly replies: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Plays cases over many connections, and then asks the gateway whether it is well. */
export async function runFuzz(target: FuzzTarget, { seed, from, to, replay }: FuzzRun): Promise<FuzzReport> {
  const statuses: Record<string, number> = {};
  const problems: string[] = [];
  let next = from;
  let replies = 0;
  const play = async () => {
    const line = openLine(target.port);
    let before: number | null = null;
    while (next < to && problems.length < MOST_PROBLEMS) {
      const index = next++;
      const one = drawCase(seed, index, target.loot);
      const sent = await line.send(one);
      replies += sent.replies.length;
      for (const { status } of sent.replies) statuses[status] = (statuses[status] ?? 0) + 1;
      const after = before === null ? '' : ` after case ${before}`;
      before = index;
      for (const wrong of judgeCase(one, sent, target.judging)) {
        const came = JSON.stringify(sent.bytes.toString('latin1').slice(0, 2_000));
        const bytes = JSON.stringify(one.bytes.toString('latin1').slice(0, 20_000));
        problems.push(
          `case ${index} of seed ${seed}${after}, ${one.family}: ${wrong}\n  ${replay(index)}\n  cut at ${JSON.stringify(one.cuts)}: ${bytes}\n  came back: ${came}`,
        );
      }
    }
    line.close();
  };
  await Promise.all(Array.from({ length: Math.min(LINES, to - from) }, play));
  return { cases: next - from, replies, statuses, problems: [...problems, ...(await target.check())] };
}
