import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFold } from '#gateway/audit/fold.ts';
import { createAuditShipping } from '#gateway/audit/ship.ts';
import { openSpool } from '#gateway/audit/spool.ts';
import { AuditShipment } from '#gateway/contract/audit.ts';
import type { AuditDraft } from '#gateway/pipeline/audit-rows.ts';
import type { ConsoleAnswer, ConsoleClient } from '#gateway/release/console-client.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'habitat-spool-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const draft = (over: Partial<AuditDraft> = {}): AuditDraft => ({
  atMs: 1,
  phase: 'intent',
  requestId: 'r',
  release: 1,
  tenant: 'chat',
  principal: 'chat-api',
  actorKind: 'service',
  keyId: null,
  operation: 'object.put',
  type: 'Message',
  objectId: 'x'.repeat(200),
  edgeType: null,
  toId: null,
  code: null,
  status: null,
  policy: null,
  version: null,
  count: 1,
  ...over,
});

/** The console's side of the protocol at the process edge: exactly once per stream, and away when told. */
function consoleEdge() {
  const nextSeq = new Map<string, number>();
  const rows: { stream: string; requestId: string }[] = [];
  const state = { away: false, loseReply: false };
  const away: ConsoleAnswer = { kind: 'away', message: 'down' };
  const client: ConsoleClient = {
    get: () => Promise.resolve(away),
    post: (_path, body) => {
      if (state.away) return Promise.resolve(away);
      const shipment = AuditShipment.parse(body);
      const stands = nextSeq.get(shipment.stream) ?? 1;
      for (const [index, row] of shipment.rows.entries()) expect(row.seq).toBe(shipment.from + index);
      if (shipment.from === stands) {
        rows.push(...shipment.rows.map(({ requestId }) => ({ stream: shipment.stream, requestId })));
        nextSeq.set(shipment.stream, stands + shipment.rows.length);
      }
      if (state.loseReply) return Promise.resolve(away);
      const reply = Buffer.from(JSON.stringify({ nextSeq: nextSeq.get(shipment.stream) }));
      return Promise.resolve({ kind: 'ok', status: 200, etag: null, body: reply });
    },
  };
  return { client, rows, nextSeq, state };
}

function write(stream: string, ids: readonly string[]) {
  const spool = openSpool({ dir, stream, nowMs: () => 1 });
  for (const requestId of ids) expect(spool.append(draft({ requestId }))).toBe(true);
  spool.close();
}

const ids = (count: number, name = 'r') => Array.from({ length: count }, (_, index) => `${name}${index}`);

describe('shipping', () => {
  test('sends every row once, over many segments, and deletes what was taken', async () => {
    const edge = consoleEdge();
    write('gw.a', ids(12_000));
    expect(readdirSync(dir).length).toBeGreaterThan(1);
    const shipping = createAuditShipping({ dir, client: edge.client, say: () => {} });
    expect(shipping.backlog()).toBe(12_000);
    await shipping.tick();
    expect(edge.rows.map(({ requestId }) => requestId)).toEqual(ids(12_000));
    expect([readdirSync(dir), shipping.backlog()]).toEqual([[], 0]);
  });

  test('sends nothing twice when replies are lost, nor by a new process', async () => {
    const edge = consoleEdge();
    write('gw.a', ids(1_200));
    edge.state.loseReply = true;
    await createAuditShipping({ dir, client: edge.client, say: () => {} }).tick();
    edge.state.loseReply = false;
    const next = createAuditShipping({ dir, client: edge.client, say: () => {} });
    await next.tick();
    expect(edge.rows.map(({ requestId }) => requestId)).toEqual(ids(1_200));
  });

  test('keeps everything while the console is away, and the file that a live worker writes', async () => {
    const edge = consoleEdge();
    const spool = openSpool({ dir, stream: 'gw.live', nowMs: () => 1 });
    const shipping = createAuditShipping({ dir, client: edge.client, say: () => {} });
    shipping.begin('gw.live');
    edge.state.away = true;
    spool.append(draft({ requestId: 'one' }));
    await shipping.tick();
    expect(shipping.backlog()).toBe(1);
    edge.state.away = false;
    await shipping.tick();
    spool.append(draft({ requestId: 'two' }));
    await shipping.tick();
    expect(edge.rows.map(({ requestId }) => requestId)).toEqual(['one', 'two']);
    expect(readdirSync(dir)).toHaveLength(1);
    spool.close();
    shipping.end('gw.live');
    await shipping.tick();
    expect(readdirSync(dir)).toEqual([]);
  });

  test('goes on after a torn line, and after a console that lost its rows', async () => {
    const edge = consoleEdge();
    write('gw.torn', ids(3, 'a'));
    const [file = ''] = readdirSync(dir);
    const lines = readFileSync(join(dir, file), 'utf8').trimEnd().split('\n');
    writeFileSync(join(dir, file), `${lines[0]}\n{"seq":2,"torn\n${lines[2]}\n`);
    appendFileSync(join(dir, file), '{"seq":4,"half');
    const said: string[] = [];
    await createAuditShipping({ dir, client: edge.client, say: (sentence) => said.push(sentence) }).tick();
    expect(edge.rows).toEqual([
      { stream: 'gw.torn', requestId: 'a0' },
      { stream: 'gw.torn+3', requestId: 'a2' },
    ]);
    expect(said[0]).toMatch(/lacks rows of gw\.torn before 3/);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('folding', () => {
  function folding() {
    const rows: AuditDraft[] = [];
    const clock = { nowMs: 1_000_000 };
    const append = (row: AuditDraft) => rows.push(row) > 0;
    return { rows, clock, fold: createFold({ append, nowMs: () => clock.nowMs }) };
  }

  test('the first refusal of a kind is written at once, those of the next 10 s as one row with their count', () => {
    const { rows, clock, fold } = folding();
    for (let index = 0; index < 500; index++) fold.refuse(draft({ code: 'quota_exceeded', requestId: `q${index}` }));
    expect(rows.map(({ requestId, count }) => [requestId, count])).toEqual([['q0', 1]]);
    clock.nowMs += 9_999;
    fold.flushDue();
    expect(rows).toHaveLength(1);
    clock.nowMs += 1;
    fold.flushDue();
    expect(rows.map(({ requestId, count }) => [requestId, count])).toEqual([
      ['q0', 1],
      ['q1', 499],
    ]);
  });

  test('forbidden is written singly up to 20 a second per principal, and every one is counted', () => {
    const { rows, fold } = folding();
    for (let index = 0; index < 100; index++) fold.refuse(draft({ code: 'forbidden' }));
    fold.refuse(draft({ code: 'forbidden', principal: 'other' }));
    fold.flushAll();
    expect(rows.filter(({ principal }) => principal === 'other')).toHaveLength(1);
    const own = rows.filter(({ principal }) => principal === 'chat-api');
    expect(own.length).toBe(22);
    expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  });

  test('what one release refuses of one type is never counted as another release or type', () => {
    const { rows, clock, fold } = folding();
    const kinds = [
      { release: 6, type: 'Message' },
      { release: 7, type: 'Message' },
      { release: 7, type: 'User' },
      { release: 7, type: 'User', policy: 'no-users' },
    ];
    for (const kind of kinds) for (let n = 0; n < 60; n++) fold.refuse(draft({ code: 'forbidden', ...kind }));
    clock.nowMs += 10_000;
    fold.flushDue();
    for (const { release, type, policy = null } of kinds) {
      const of = rows.filter((row) => row.release === release && row.type === type && row.policy === policy);
      expect(of.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    }
  });

  test('a caller of a thousand names costs some rows, and the row that counts many names none', () => {
    const { rows, fold } = folding();
    for (let n = 0; n < 1_000; n++) fold.refuse(draft({ code: 'unknown_type', type: `T${n}` }));
    fold.flushAll();
    expect(rows.length).toBeLessThan(60);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
    expect(rows.filter(({ count }) => count > 1)).toMatchObject([{ type: null, operation: null, policy: null }]);
  });
});
