import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultEffect } from '#gateway/contract/local-cosmos.ts';
import { brokenBy, inPartition, send } from '#test/gateway/emulator/raw-request.ts';
import { ACCOUNT, startTwoRegions, type TwoRegions } from '#test/gateway/emulator/two-regions.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let test: TwoRegions;
beforeAll(async () => {
  test = await startTwoRegions();
  await test.east.container.items.create({ id: 'there', pk: 'p' });
});
afterEach(() => test.emulator.faults.clear());
afterAll(() => test.close());

const play = (effect: FaultEffect, more: object = {}) => test.emulator.faults.add({ region: 'East', effect, ...more });

const read = (signal?: AbortSignal) => test.east.raw('there', 'p', signal && { signal });

const create = (id: string) => test.east.raw('', 'p', { method: 'POST', body: JSON.stringify({ id, pk: 'p' }) });

const exists = async (id: string): Promise<boolean> => (await test.west.raw(id, 'p')).status === 200;

describe('refuse', () => {
  it('refuses new connections and resets open ones, until it is lifted; then listens on the same port', async () => {
    const { port } = new URL(test.east.url);
    const idle = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    // The endpoint has accepted it, and answers on it.
    idle.write('GET /_habitat/health HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));
    const cut = new Promise<string>((resolve) => idle.once('error', (error) => resolve(error.message)));
    play({ kind: 'refuse' });
    expect(await cut).toBe('read ECONNRESET');
    expect(await brokenBy(read())).toContain('connect ECONNREFUSED');
    expect((await test.west.raw('there', 'p')).status).toBe(200);
    await test.emulator.faults.clear();
    expect((await read()).status).toBe(200);
  });

  it('holds until the last fault that asks for it is lifted', async () => {
    const first = play({ kind: 'refuse' });
    const second = test.emulator.faults.add({ account: ACCOUNT, region: 'East', effect: { kind: 'refuse' } });
    await test.emulator.faults.remove(first.id);
    expect(await brokenBy(read())).toContain('ECONNREFUSED');
    await test.emulator.faults.remove(second.id);
    expect((await read()).status).toBe(200);
  });

  it('can be switched many times without losing the port', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = play({ kind: 'refuse' });
      // Lifted and back before the region could listen again.
      void test.emulator.faults.remove(id);
      play({ kind: 'refuse' });
      await test.emulator.faults.clear();
      expect((await read()).status).toBe(200);
    }
  });
});

describe('connections that break', () => {
  it('reset: the connection is reset and nothing is carried out', async () => {
    play({ kind: 'reset' });
    expect(await brokenBy(create('never'))).toBe('read ECONNRESET');
    expect(await exists('never')).toBe(false);
  });

  it('commitThenReset: carried out, durable and unanswered', async () => {
    play({ kind: 'commitThenReset' });
    expect(await brokenBy(create('committed'))).toBe('read ECONNRESET');
    expect(await exists('committed')).toBe(true);
  });

  it('delayedDelivery: carried out after its client left, once', async () => {
    play({ kind: 'delayedDelivery', delayMs: 150 }, { times: 1 });
    const sentMs = performance.now();
    expect(await brokenBy(create('late'))).toBe('read ECONNRESET');
    expect(await exists('late')).toBe(false);
    await waitUntil(() => exists('late'));
    expect(performance.now() - sentMs).toBeGreaterThanOrEqual(149);
    expect((await create('late')).status).toBe(409);
  });

  it('delayedDelivery: what arrives late is checked as if it had just arrived', async () => {
    const { resource } = await test.east.container.items.create<{ id: string; pk: string }>({ id: 'moved', pk: 'p' });
    play({ kind: 'delayedDelivery', delayMs: 150 }, { times: 1 });
    const replace = test.east.raw('moved', 'p', {
      method: 'PUT',
      headers: { 'if-match': resource?._etag ?? '' },
      body: JSON.stringify({ id: 'moved', pk: 'p', v: 'late' }),
    });
    await brokenBy(replace);
    await test.east.container.item('moved', 'p').replace({ id: 'moved', pk: 'p', v: 'between' });
    play({ kind: 'delayedDelivery', delayMs: 150 }, { times: 1 });
    await brokenBy(create('last'));
    await waitUntil(() => exists('last'));
    // The guarded write came before that one and found its etag gone.
    expect((await test.west.container.item('moved', 'p').read()).resource).toMatchObject({ v: 'between' });
  });
});

describe('hang', () => {
  it('no reply ever comes, and nothing is carried out', async () => {
    play({ kind: 'hang' }, { times: 1 });
    const leaving = new AbortController();
    const hung = brokenBy(
      test.east.raw('', 'p', { method: 'POST', body: '{"id":"hung","pk":"p"}', signal: leaving.signal }),
    );
    await waitUntil(() => test.emulator.faults.list().length === 0);
    // Others are served meanwhile, and after.
    expect((await read()).status).toBe(200);
    leaving.abort();
    expect(await hung).toContain('aborted');
    expect(await exists('hung')).toBe(false);
  });

  it('does not keep the endpoint from stopping, and neither do long waits', async () => {
    const other = await startTwoRegions();
    other.emulator.faults.add({ operations: ['read'], effect: { kind: 'hang' } });
    other.emulator.faults.add({ operations: ['write'], effect: { kind: 'slow', delayMs: 600_000 } });
    other.emulator.faults.add({ operations: ['feed'], effect: { kind: 'delayedDelivery', delayMs: 600_000 } });
    const broken = Promise.all([
      brokenBy(other.east.raw('x', 'p')),
      brokenBy(other.east.raw('', 'p', { method: 'POST', body: '{"id":"x","pk":"p"}' })),
      brokenBy(other.east.raw('', 'p', { headers: { 'a-im': 'Incremental Feed' } })),
    ]);
    await waitUntil(() => other.emulator.faults.list().every(({ met }) => met === 1));
    const stoppingMs = performance.now();
    await other.close();
    // Busy connections are given five seconds; these are not.
    expect(performance.now() - stoppingMs).toBeLessThan(4_000);
    expect(await broken).toHaveLength(3);
  });
});

describe('slow', () => {
  it('carries out after the delay', async () => {
    play({ kind: 'slow', delayMs: 120, perQueuedMs: 0 });
    const sentMs = performance.now();
    expect((await read()).status).toBe(200);
    expect(performance.now() - sentMs).toBeGreaterThanOrEqual(119);
  });

  it('takes longer the more requests wait before it', async () => {
    play({ kind: 'slow', delayMs: 50, perQueuedMs: 40 });
    const sentMs = performance.now();
    const tookMs = await Promise.all(
      Array.from({ length: 6 }, async () => {
        await read();
        return performance.now() - sentMs;
      }),
    );
    // The last has five before it.
    expect(Math.max(...tookMs)).toBeGreaterThanOrEqual(50 + 5 * 40 - 1);
    const aloneMs = performance.now();
    await read();
    expect(performance.now() - aloneMs).toBeLessThan(50 + 5 * 40);
  });
});

describe('something in between', () => {
  it('html: a page with the status, and no header of the service', async () => {
    play({ kind: 'html', status: 502 });
    const reply = await read();
    expect(reply).toMatchObject({ status: 502, headers: { 'content-type': 'text/html' } });
    expect(reply.body).toContain('<h1>502</h1>');
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('x-ms-'))).toEqual([]);
  });

  it('empty: the status and nothing else', async () => {
    play({ kind: 'empty', status: 503 });
    expect(await read()).toMatchObject({ status: 503, body: '' });
  });

  it('the health check is never met by a fault of requests', async () => {
    play({ kind: 'html', status: 502 });
    const health = await send({
      url: test.east.url,
      key: test.emulator.key,
      path: '_habitat/health',
      headers: inPartition('p'),
    });
    expect(health.status).toBe(200);
  });
});
