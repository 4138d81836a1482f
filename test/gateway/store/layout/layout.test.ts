import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import { edgeItemId, escapeId, partitionKeyOf, recordId } from '#gateway/store/layout/keys.ts';
import { sortRange, sortString } from '#gateway/store/layout/sort-string.ts';
import { createUlids } from '#gateway/store/layout/ulid.ts';
import { author, idOf, keyOf, messages } from '#test/gateway/store/store-fixture.ts';

const MAX_TIME_MS = 8.64e15;
const id = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .filter((text) => ObjectId.safeParse(text).success);
const time = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.maxSafeInteger().map((ms) => Math.abs(ms) % (MAX_TIME_MS + 1)),
);

describe('ids of items', () => {
  it('never meet for two different ids, and hold nothing that Cosmos or our separators use', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(escapeId(a) === escapeId(b)).toBe(a === b);
        expect(escapeId(a)).toMatch(/^[A-Za-z0-9._=-]+$/);
        expect(decodeURIComponent(escapeId(a).replaceAll('=', '%'))).toBe(a);
      }),
    );
  });

  it('stay within what Cosmos allows for the longest id', () => {
    const longest = idOf('/'.repeat(255));
    const type = EdgeTypeName.parse(`e${'x'.repeat(47)}`);
    expect(Buffer.byteLength(edgeItemId({ ...messages, edgeType: type }, longest))).toBeLessThanOrEqual(1_023);
    expect(Buffer.byteLength(partitionKeyOf(keyOf('T'.repeat(48), longest)))).toBeLessThanOrEqual(2_048);
  });

  it('of a cardinality-one edge do not name the target', () => {
    expect(edgeItemId(author, idOf('ann'))).toBe('e~author');
    expect(edgeItemId(messages, idOf('m 1'))).toBe('e~messages~m=201');
  });

  it('of records tell principal and key apart', () => {
    const records = [
      { principal: 'a', key: 'bc' },
      { principal: 'ab', key: 'c' },
      { principal: 'a","', key: 'c' },
      { principal: 'a', key: '","c' },
    ];
    expect(new Set(records.map(recordId)).size).toBe(4);
    for (const record of records) expect(recordId(record)).toMatch(/^i~[A-Za-z0-9_-]{22}$/);
  });
});

describe('the sort string', () => {
  const { edgeType } = messages;

  it('orders newest first over the whole range of times, one millisecond apart included', () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [first, second] = [sortString(edgeType, a, idOf('x')), sortString(edgeType, b, idOf('x'))];
        expect(Math.sign(first < second ? -1 : first > second ? 1 : 0)).toBe(Math.sign(b - a) || 0);
      }),
    );
  });

  it('orders equal times by target, the same each time, and tells targets apart', () => {
    expect(sortString(edgeType, 5, idOf('a'))).toBe(sortString(edgeType, 5, idOf('a')));
    expect(sortString(edgeType, 5, idOf('a'))).not.toBe(sortString(edgeType, 5, idOf('b')));
  });

  it('lies in the range of its bounds exactly when its time does', () => {
    const bound = fc.option(time, { nil: null });
    fc.assert(
      fc.property(time, bound, bound, id, (timeMs, afterMs, beforeMs, toId) => {
        const s = sortString(edgeType, timeMs, idOf(toId));
        const { after, end } = sortRange(edgeType, { afterMs, beforeMs }, null);
        const isWithin = (afterMs === null || timeMs >= afterMs) && (beforeMs === null || timeMs <= beforeMs);
        expect(s > after && s < end).toBe(isWithin);
      }),
    );
  });

  it('of another type never lies in the range, however alike the names', () => {
    const { after, end } = sortRange(edgeType, { afterMs: null, beforeMs: null }, null);
    for (const name of ['message', 'messagesA', 'messages_', 'messages0', 'n', 'a']) {
      const s = sortString(EdgeTypeName.parse(name), 5, idOf('x'));
      expect(s > after && s < end).toBe(false);
    }
  });

  it('continues past a cursor but never before its bounds', () => {
    const cursor = sortString(edgeType, 50, idOf('x'));
    const bounds = { afterMs: null, beforeMs: 40 };
    expect(sortRange(edgeType, bounds, cursor)).toEqual(sortRange(edgeType, bounds, null));
    expect(sortRange(edgeType, { afterMs: null, beforeMs: 60 }, cursor).after).toBe(cursor);
  });
});

describe('ids of writes', () => {
  it('are ULIDs in the order of their time, and never the same', () => {
    let nowMs = 1_469_918_176_385;
    const next = createUlids(() => nowMs);
    const first = next();
    expect(first).toMatch(/^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
    nowMs += 1;
    expect(next() > first).toBe(true);
    expect(new Set(Array.from({ length: 1_000 }, next)).size).toBe(1_000);
  });
});
