import { describe, expect, it } from 'vitest';
import type { RequestNote } from '#gateway/client/calls/note.ts';
import { billOf } from '#gateway/client/explain/bill.ts';
import { createLatencies } from '#gateway/client/explain/latencies.ts';
import { planOf } from '#gateway/client/explain/plan.ts';
import { chatTypes } from './chat-types.ts';

const BASE = {
  attempts: 1,
  ru: 1,
  servedFrom: 'East',
  release: 'r1',
  requestId: 'r',
  endpoint: 'e',
  code: null,
  deprecated: null,
};

function noteOf(operation: string, about: string, over: Partial<RequestNote> = {}): RequestNote {
  return { ...BASE, operation, parts: [{ operation, about }], startedAtMs: 0, endedAtMs: 1, ...over };
}

describe('a bill', () => {
  it('counts calls, requests, repeats, pages and RU, a line for each kind', () => {
    const parts = [1, 2, 3].map(() => ({ operation: 'object.get', about: 'Message' }));
    const bill = billOf(
      [
        noteOf('edge.list', 'messages', { ru: 4.6, attempts: 2 }),
        noteOf('edge.list', 'messages', { ru: 4.4, servedFrom: 'West' }),
        noteOf('batch', '', { parts, ru: 3 }),
        noteOf('edge.count', 'messages', { ru: null, servedFrom: null, code: 'unreachable' }),
      ],
      7.4,
    );
    expect(bill).toMatchObject({ calls: 6, requests: 4, retries: 1, pages: 2, ru: 12, accounts: 'unknown' });
    expect(bill.servedFrom).toEqual({ East: 2, West: 1 });
    expect(String(bill).split('\n')).toEqual([
      '                     calls          RU',
      'edge.list messages       2         9.0',
      'object.get Message       3  in batches',
      'edge.count messages      1     unknown',
      'total                    6        12.0',
      '4 requests (1 attempt repeated) · 1 round · 2 pages · 7 ms · served from East 2, West 1 · accounts unknown',
    ]);
  });

  it.each([
    [
      'one after another',
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      3,
    ],
    [
      'all at once',
      [
        [0, 3],
        [0, 2],
        [1, 3],
      ],
      1,
    ],
    [
      'one, then two side by side, then one',
      [
        [0, 1],
        [1, 4],
        [2, 3],
        [4, 5],
      ],
      3,
    ],
    ['none', [], 0],
  ] as const)('rounds are requests that waited for one another: %s', (_what, spans, rounds) => {
    const notes = spans.map(([startedAtMs, endedAtMs]) => noteOf('object.get', 'Message', { startedAtMs, endedAtMs }));
    expect(billOf(notes, 5).rounds).toBe(rounds);
  });

  it('says unknown where no reply told', () => {
    const bill = billOf([noteOf('object.get', 'Message', { ru: null, servedFrom: null })], 1);
    expect(bill.ru).toBe(null);
    expect(String(bill)).toMatch(/total +1 +unknown\n.*served from unknown/);
  });
});

describe('a plan', () => {
  const ports = { catalog: chatTypes, p99Ms: () => null };

  it('multiplies fan-outs, pages and prices', () => {
    const hops = [
      { list: 'messages', fanOut: 250 },
      { read: 'Message' },
      { list: 'inConversation', fanOut: 2 },
      { count: 'pins' },
    ] as const;
    const plan = planOf(hops, { from: 3 }, ports);
    expect(plan.lines).toEqual([
      { operation: 'edge.list', about: 'messages', calls: 9, ru: 9 * 7 },
      { operation: 'object.get', about: 'Message', calls: 750, ru: 750 },
      { operation: 'edge.list', about: 'inConversation', calls: 750, ru: 750 * 4.06 },
      { operation: 'edge.count', about: 'pins', calls: 1_500, ru: 1_500 },
    ]);
    expect(plan).toMatchObject({ calls: 3_009, requests: 3_009, rounds: 6, pages: 759, p99Ms: null });
    expect(planOf(hops, { from: 3, isBatched: true }, ports)).toMatchObject({ calls: 3_009, requests: 3 + 8 + 8 + 15 });
  });

  it('refuses a hop that does not start where the loop is', () => {
    expect(() => planOf([{ read: 'Message' }, { list: 'messages', fanOut: 1 }], {}, ports)).toThrow(
      'messages starts at Conversation; the loop is at Message.',
    );
    expect(() => planOf([{ list: 'nothing', fanOut: 1 }], {}, ports)).toThrow('The catalog has no edge type nothing.');
  });

  it('expects the 99th percentile of what was seen, once enough was', () => {
    const { note, p99Ms } = createLatencies();
    const seen = (count: number) => {
      for (let ms = 1; ms <= count; ms += 1) note(noteOf('edge.list', 'messages', { endedAtMs: ms }));
    };
    seen(19);
    expect(p99Ms('edge.list')).toBe(null);
    seen(100);
    const plan = planOf([{ list: 'messages', fanOut: 250 }], {}, { catalog: chatTypes, p99Ms });
    expect(plan.p99Ms).toBe(3 * 99);
    expect(
      planOf([{ list: 'messages', fanOut: 1 }, { read: 'Message' }], {}, { catalog: chatTypes, p99Ms }).p99Ms,
    ).toBe(null);
  });
});
