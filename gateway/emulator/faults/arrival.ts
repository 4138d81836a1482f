import type { FaultEffect } from '#gateway/contract/local-cosmos.ts';
import type { FaultBook, FaultSubject } from './fault-book.ts';

/** Effects that decide how a request ends. A request meets at most one of them. */
const ENDINGS = [
  'reset',
  'hang',
  'status',
  'batchStatus',
  'html',
  'empty',
  'commitThenReset',
  'delayedDelivery',
] as const;

type Slow = Extract<FaultEffect, { kind: 'slow' }>;
export type Ending = Extract<FaultEffect, { kind: (typeof ENDINGS)[number] }>;

/** What awaits a request that has just arrived. */
export interface Arrival {
  readonly slow: readonly Slow[];
  readonly ending: Ending | undefined;
}

/** Undefined when nothing does. */
export function meetOnArrival(faults: FaultBook, subject: FaultSubject): Arrival | undefined {
  const slow: Slow[] = [];
  let ending: Ending | undefined;
  faults.meet(subject, (effect) => {
    if (effect.kind === 'slow') {
      slow.push(effect);
      return true;
    }
    if (ending !== undefined || !isEnding(effect)) return false;
    if (effect.kind === 'batchStatus' && subject.operation !== 'batch') return false;
    ending = effect;
    return true;
  });
  return slow.length === 0 && ending === undefined ? undefined : { slow, ending };
}

const isEnding = (effect: FaultEffect): effect is Ending => (ENDINGS as readonly string[]).includes(effect.kind);
