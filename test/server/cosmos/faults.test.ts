import { describe, expect, it } from 'vitest';
import { type FaultEffect, NewFault } from '#gateway/contract/local-cosmos.ts';
import { FILTERS_OF, SwitchOnFault } from '#server/contract/cosmos.ts';
import { faultSentence } from '#server/contract/fault-words.ts';
import { fieldsOf } from '#server/http/respond.ts';

const words = (fault: unknown) => faultSentence(NewFault.parse(fault));

describe('what a fault does, as a sentence', () => {
  it.each([
    [{ region: 'West', effect: { kind: 'refuse' } }, 'West refuses connections'],
    [{ effect: { kind: 'refuse' } }, 'Every region refuses connections'],
    [{ effect: { kind: 'reset' }, percent: 5 }, 'Requests lose their connection before the reply, 5 % of them'],
    [
      { effect: { kind: 'hang' }, operations: ['read', 'query', 'feed'], region: 'East', times: 1 },
      'Reads of one item, queries and reads of the change feed in East get no reply, once',
    ],
    [
      { effect: { kind: 'slow', delayMs: 1_500, perQueuedMs: 20 }, operations: ['write'] },
      'Single writes are carried out 1.5 s late, and 20 ms more for each that waits',
    ],
    [
      { effect: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 50 }, times: 1_200 },
      'Requests are answered 429/3200 and told to wait 50 ms, 1,200 times at most',
    ],
    [
      { effect: { kind: 'status', status: 503 }, operations: ['batch'], region: 'West', percent: 20 },
      'Batches in West are answered 503, 20 % of them',
    ],
    [
      { effect: { kind: 'batchStatus', status: 429 }, partition: 'chat|Message|m1' },
      'Batches of partition chat|Message|m1 are rolled back: the first operation is answered 429',
    ],
    [
      { effect: { kind: 'batchStatus', status: 449, index: 2, retryAfterMs: 5 } },
      'Batches are rolled back: operation 3 is answered 449 and told to wait 5 ms',
    ],
    [{ effect: { kind: 'html' } }, 'Requests are answered 502 with a page of HTML'],
    [{ effect: { kind: 'empty' } }, 'Requests are answered 503 with an empty body'],
    [
      { effect: { kind: 'commitThenReset' }, operations: ['write', 'batch'] },
      'Single writes and batches are carried out and then lose their connection without a reply',
    ],
    [
      { effect: { kind: 'delayedDelivery', delayMs: 180_000 }, operations: ['metadata'] },
      'Reads of the catalogue lose their connection at once and are carried out 3 min later',
    ],
    [{ effect: { kind: 'lag', lagMs: 5_000 }, region: 'West' }, 'Reads in West see what was committed 5 s ago'],
    [
      { effect: { kind: 'lag', lagMs: 40 }, partition: 'chat|Message|m1', percent: 50 },
      'Reads of partition chat|Message|m1 in every region see what was committed 40 ms ago, 50 % of them',
    ],
    [{ effect: { kind: 'lag', lagMs: null } }, 'Reads in every region see nothing newer than this fault'],
    [
      { effect: { kind: 'replicaLag', lagMs: 200 }, region: 'West' },
      '1 of the four replicas in West shows what was committed 200 ms ago',
    ],
    [
      { effect: { kind: 'replicaLag', lagMs: null, replicas: 4 } },
      'All four replicas in each region show nothing newer than this fault',
    ],
    [
      { effect: { kind: 'keepExpired' }, region: 'East' },
      'Expired items in East are not purged: a read finds nothing, a create meets 409',
    ],
  ])('%#', (fault, sentence) => {
    expect(words(fault)).toBe(sentence);
  });
});

describe('what an effect takes', () => {
  const narrowed = { operations: ['read'], partition: 'p', percent: 50, times: 2 } as const;
  const EFFECTS: Readonly<Record<FaultEffect['kind'], object>> = {
    refuse: {},
    reset: {},
    hang: {},
    slow: { delayMs: 1 },
    status: { status: 503 },
    batchStatus: { status: 429 },
    html: {},
    empty: {},
    commitThenReset: {},
    delayedDelivery: { delayMs: 1 },
    lag: { lagMs: 1 },
    replicaLag: { lagMs: 1 },
    keepExpired: {},
  };

  it.each(Object.entries(EFFECTS))('%s refuses what it does not take, each beside its field', (kind, more) => {
    const effect = { kind, ...more };
    const parsed = SwitchOnFault.safeParse({ ...narrowed, effect });
    const taken: readonly string[] = FILTERS_OF[NewFault.parse({ effect }).effect.kind];
    const refused = Object.keys(narrowed).filter((filter) => !taken.includes(filter));
    expect(parsed.success ? [] : Object.keys(fieldsOf(parsed.error))).toEqual(refused);
    expect(SwitchOnFault.safeParse({ effect }).success).toBe(true);
  });
});
