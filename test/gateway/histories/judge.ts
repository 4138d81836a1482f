import type { ObjectHistory } from './history.ts';
import { keyOfState, NOTHING } from './object-state.ts';
import { search, type Verdict } from './search.ts';
import { type EntryStep, stepsOf, strangeMarks } from './steps-of.ts';

export type Judgement =
  | { readonly kind: 'explained'; readonly states: number }
  | {
      readonly kind: 'wrong';
      readonly problems: readonly string[];
      readonly stuckIds: readonly number[];
      readonly states: number;
    }
  | { readonly kind: 'undecided'; readonly states: number };

const BUDGET = 300_000;

/**
 * Whether one order of the operations explains every outcome of an object's history: writes, critical reads and session
 * reads through its home gateway each at one moment between call and end, unknown writes at any later moment or never,
 * refused ones never, carried sessions never going back, eventual reads showing some state that was.
 */
export function judge(history: ObjectHistory, budget = BUDGET): Judgement {
  const strange = strangeMarks(history);
  if (strange.length > 0) return { kind: 'wrong', problems: strange, stuckIds: [], states: 0 };
  const steps = stepsOf(history);
  const verdict = search(steps, { initial: NOTHING, keyOf: keyOfState, budget });
  return judgementOf(verdict, steps);
}

function judgementOf(verdict: Verdict, steps: readonly EntryStep[]): Judgement {
  const { states } = verdict;
  if (verdict.kind !== 'impossible') return { kind: verdict.kind, states };
  const idOf = (index: number) => steps[index]?.entry.id ?? -1;
  const stuckIds = verdict.stuck.map(idOf);
  const last = verdict.order.slice(-5).map((index) => `#${idOf(index)}`);
  const problem = `no order explains the outcomes: after … ${last.join(' ')} none of ${stuckIds.map((id) => `#${id}`).join(' ')} can follow`;
  return { kind: 'wrong', problems: [problem], stuckIds, states };
}
