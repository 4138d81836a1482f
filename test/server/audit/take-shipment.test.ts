import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuditShipment } from '#gateway/contract/audit.ts';
import { takeAudit } from '#server/audit/take-shipment.ts';
import { NOON, openBareConsole } from '#test/support/bare-console.ts';
import { callMachine } from '#test/support/machine.ts';
import { auditRowOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const { db } = test;

const rowsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => auditRowOf(from + at, NOON + from + at));

const ship = (from: number, count: number, stream = 'gw-a/0/b1', gateway = 'gw-a') =>
  takeAudit({ gateway, db, nowMs: NOON }, { stream, from, rows: rowsFrom(from, count) });

const storedSeqs = async () =>
  (await db.auditEvent.findMany({ orderBy: { seq: 'asc' }, select: { seq: true } })).map(({ seq }) => seq);

beforeEach(async () => {
  await db.$executeRaw`TRUNCATE audit_event, audit_stream`;
});

describe("a gateway's audit rows are inserted exactly once", () => {
  it('by the route, from a gateway with its token', async () => {
    const call = { schema: AuditShipment, verb: takeAudit, body: { stream: 's', from: 1, rows: rowsFrom(1, 2) } };
    expect((await callMachine(test, { ...call, token: 'x'.repeat(43) })).status).toBe(401);
    expect(await (await callMachine(test, call)).json()).toEqual({ nextSeq: 3 });
    expect((await callMachine(test, { ...call, body: { stream: 's', from: 3, rows: [] } })).status).toBe(400);
  });

  it('a repeat and a gap insert nothing and say where the stream stands', async () => {
    expect(await ship(1, 3)).toEqual({ nextSeq: 4 });
    expect(await ship(1, 3)).toEqual({ nextSeq: 4 });
    expect(await ship(6, 2)).toEqual({ nextSeq: 4 });
    expect(await ship(2, 5)).toEqual({ nextSeq: 4 });
    expect(await storedSeqs()).toEqual([1, 2, 3]);
    expect(await ship(4, 1)).toEqual({ nextSeq: 5 });
  });

  it('the first shipment of a stream begins at 1', async () => {
    expect(await ship(5, 1)).toEqual({ nextSeq: 1 });
    expect(await storedSeqs()).toEqual([]);
  });

  it('of equal shipments at the same moment one is inserted', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => ship(1, 4)));
    expect(replies).toEqual(Array(5).fill({ nextSeq: 5 }));
    expect(await storedSeqs()).toEqual([1, 2, 3, 4]);
  });

  it('rows out of order are refused whole', async () => {
    const rows = [auditRowOf(1, NOON), auditRowOf(3, NOON)];
    await expect(takeAudit({ gateway: 'gw-a', db, nowMs: NOON }, { stream: 's', from: 1, rows })).rejects.toMatchObject(
      {
        code: 'invalid_input',
      },
    );
    expect(await storedSeqs()).toEqual([]);
  });

  it('a gateway under a new name goes on with the stream on its disk', async () => {
    await ship(1, 1, 'kept', 'gw-a');
    expect(await ship(2, 1, 'kept', 'gw-b')).toEqual({ nextSeq: 3 });
    expect(await db.auditStream.findMany()).toMatchObject([{ gateway: 'gw-b', nextSeq: 3 }]);
  });

  it('a sender that goes on from each reply delivers every row once, whatever is lost, repeated or sent twice', async () => {
    const step = fc.record({
      size: fc.integer({ min: 1, max: 6 }),
      sent: fc.constantFrom(1, 1, 2, 3),
      skew: fc.integer({ min: -3, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await db.$executeRaw`TRUNCATE audit_event, audit_stream`;
        let next = 1;
        for (const { size, sent, skew } of steps) {
          // A confused sender first tries somewhere else.
          const elsewhere = await ship(Math.max(1, next + skew), size);
          next = elsewhere.nextSeq;
          const replies = await Promise.all(Array.from({ length: sent }, () => ship(next, size)));
          next = Math.max(...replies.map(({ nextSeq }) => nextSeq));
        }
        expect(await storedSeqs()).toEqual(Array.from({ length: next - 1 }, (_, at) => at + 1));
      }),
      { numRuns: 15 },
    );
  });
});
