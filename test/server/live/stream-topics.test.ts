import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { LiveEvent } from '#server/contract/shell.ts';
import { withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { streamTopics } from '#server/live/stream-topics.ts';
import { addRelease, NOON, openBareConsole } from '#test/support/bare-console.ts';

const test = await openBareConsole();
const { db } = test;
const open: AbortController[] = [];

/** Opens a stream and collects what it tells. */
async function listen() {
  const abort = new AbortController();
  open.push(abort);
  const reply = await streamTopics({ ...test.ctxOf({}), signal: abort.signal });
  const heard: z.infer<typeof LiveEvent>[] = [];
  const reader = reply.body?.getReader();
  if (reader === undefined) throw new Error('no body');
  const ended = (async () => {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const line of decoder.decode(value).split('\n')) {
        if (line.startsWith('data: ')) heard.push(LiveEvent.parse(JSON.parse(line.slice(6))));
      }
    }
  })();
  await expect.poll(() => test.listener.isConnected()).toBe(true);
  return { reply, heard, abort, ended, topics: () => heard.map(({ topic }) => topic) };
}

beforeEach(async () => {
  await db.$executeRaw`TRUNCATE release, gateway, gateway_ack`;
});

afterEach(() => {
  for (const abort of open.splice(0)) abort.abort();
});

describe('live stream', () => {
  it('is an event stream that no proxy keeps', async () => {
    const { reply } = await listen();
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(reply.headers.get('cache-control')).toBe('no-store, no-transform');
  });

  it('tells a topic when its transaction commits, and nothing of one that rolls back', async () => {
    const stream = await listen();
    await expect.poll(() => stream.topics().length).toBeGreaterThanOrEqual(0);
    const before = stream.heard.length;
    await withTransaction(db, async (tx) => {
      await notify(tx, 'settings');
      throw new Error('undone');
    }).catch(() => undefined);
    await notify(db, 'inbox');
    await expect.poll(() => stream.topics().slice(before)).toContain('inbox');
    expect(stream.topics().slice(before)).not.toContain('settings');
  });

  it('carries no data, and its numbers grow', async () => {
    const stream = await listen();
    for (let round = 0; round < 3; round += 1) await notify(db, 'changes', 'releases');
    await expect.poll(() => stream.heard.length).toBeGreaterThanOrEqual(2);
    const seqs = stream.heard.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
    for (const event of stream.heard) expect(Object.keys(event).sort()).toEqual(['seq', 'topic']);
  });

  it('folds a burst and does not lose its last', async () => {
    const stream = await listen();
    await expect.poll(() => stream.topics()).not.toContain('nothing');
    const before = stream.topics().filter((topic) => topic === 'telemetry').length;
    for (let round = 0; round < 40; round += 1) await notify(db, 'telemetry');
    const told = () => stream.topics().filter((topic) => topic === 'telemetry').length - before;
    await expect.poll(told).toBeGreaterThanOrEqual(2);
    expect(told()).toBeLessThan(40);
  });

  it('tells that a gateway fell silent, which nobody writes anywhere', async () => {
    await addRelease(db, 1, NOON - 60_000);
    const times = { startedAt: new Date(NOON - 60_000), lastHeardAt: new Date(NOON - 29_000) };
    await db.gateway.create({
      data: {
        name: 'gw-a',
        version: '0.1.0',
        url: 'x',
        workers: [],
        auditBacklog: 0,
        storeReachable: true,
        storeMessage: '',
        ...times,
      },
    });
    const stream = await listen();
    await db.$queryRaw`SELECT 1`;
    const before = stream.heard.length;
    await expect.poll(() => stream.topics().slice(before)).toContain('shell');
  });

  it('ends when the browser hangs up and stops listening', async () => {
    const stream = await listen();
    stream.abort.abort();
    await stream.ended;
    const told = stream.heard.length;
    const other = await listen();
    await notify(db, 'audit');
    await expect.poll(() => other.topics()).toContain('audit');
    expect(stream.heard.length).toBe(told);
  });
});

describe('listener', () => {
  it('comes back after its connection was cut, and then tells every topic once', async () => {
    const stream = await listen();
    const before = stream.heard.length;
    await db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'habitat listener' AND datname = current_database()`;
    await expect
      .poll(() => stream.topics().slice(before))
      .toEqual(expect.arrayContaining(['shell', 'audit', 'settings']));
    await notify(db, 'inbox');
    await expect
      .poll(
        () =>
          stream
            .topics()
            .slice(before)
            .filter((topic) => topic === 'inbox').length,
      )
      .toBe(2);
  });
});
