import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exchange } from '#gateway/store/http/exchange.ts';
import { assertFifo, createFreeList, type FreeListOptions, type Loan } from '#gateway/store/http/free-list.ts';

function newList(change: Partial<FreeListOptions> = {}) {
  const list = createFreeList({
    origin: 'http://127.0.0.1:9',
    maxConnections: 16,
    maxAgeMs: 60_000,
    baseConnections: 2,
    trimEveryMs: 60_000,
    connectTimeoutMs: 1_000,
    now: () => 0,
    random: () => 0,
    ...change,
  });
  onTestFinished(() => list.close());
  return list;
}

function take(list: ReturnType<typeof newList>): Loan {
  const loan = list.tryTake();
  if (loan === null) throw new Error('at the cap');
  return loan;
}

describe('the free list', () => {
  it('reuses connections in the order A B C A B C', () => {
    const list = newList();
    const loans = [take(list), take(list), take(list)];
    for (const loan of loans) list.giveBack(loan, true);
    const order = Array.from({ length: 6 }, () => {
      const loan = take(list);
      list.giveBack(loan, true);
      return loan.name;
    });
    expect(order).toEqual([1, 2, 3, 1, 2, 3]);
    expect(() => assertFifo(list)).not.toThrow();
  });

  it('refuses to start on a list that is not first in, first out', () => {
    const list = newList();
    const stack: Loan[] = [];
    const lastInFirstOut = {
      ...list,
      tryTake: () => stack.pop() ?? list.tryTake(),
      giveBack: (loan: Loan) => void stack.push(loan),
    };
    expect(() => assertFifo(lastInFirstOut)).toThrow(/order 3 3 3/);
  });

  it('spreads real requests over its sockets in that order', async () => {
    const ports: number[] = [];
    const server = createServer((request, response) => {
      ports.push(request.socket.remotePort ?? 0);
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const list = newList({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    assertFifo(list);
    for (let turn = 0; turn < 6; turn += 1) {
      const loan = take(list);
      const request = { method: 'GET', path: '/', headers: {}, body: null, signal: undefined, onSend: () => undefined };
      await exchange(loan.client, request);
      list.giveBack(loan, true);
    }
    const [a, b, c] = ports;
    expect(new Set([a, b, c]).size).toBe(3);
    expect(ports).toEqual([a, b, c, a, b, c]);
  });

  it('makes no more connections than its cap, and serves those who wait in order', async () => {
    const list = newList({ maxConnections: 2 });
    const [a, b] = [take(list), take(list)];
    expect(list.tryTake()).toBeNull();
    const order: string[] = [];
    const first = list.take(undefined).then((loan) => {
      order.push('first');
      return loan;
    });
    const second = list.take(undefined).then((loan) => {
      order.push('second');
      return loan;
    });
    expect(list.stats()).toEqual({ open: 2, idle: 0, waiting: 2 });
    list.giveBack(a, true);
    list.giveBack(b, false);
    expect((await first).name).toBe(a.name);
    // The broken one made room for a new one.
    expect((await second).name).toBe(3);
    expect(order).toEqual(['first', 'second']);
  });

  it('lets go of a waiter whose time is up', async () => {
    const list = newList({ maxConnections: 1 });
    const only = take(list);
    const abort = new AbortController();
    const waiting = list.take(abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow('deadline');
    list.giveBack(only, true);
    expect(list.stats()).toEqual({ open: 1, idle: 1, waiting: 0 });
    await expect(newList({ maxConnections: 0 }).take(AbortSignal.abort())).rejects.toThrow('deadline');
  });

  it('closes a connection that is older than its maximum age, which jitter shortens', () => {
    let nowMs = 0;
    const list = newList({ maxAgeMs: 1_000, now: () => nowMs, random: () => 0.5 });
    const old = take(list);
    list.giveBack(old, true);
    nowMs = 899;
    expect(take(list).name).toBe(old.name);
    list.giveBack(old, true);
    nowMs = 900;
    expect(take(list).name).toBe(2);
    expect(old.client.destroyed).toBe(true);
  });

  it('is trimmed to its base after a burst, oldest first', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const list = newList({ trimEveryMs: 1_000, baseConnections: 2 });
    const burst = Array.from({ length: 8 }, () => take(list));
    for (const loan of burst) list.giveBack(loan, true);
    vi.advanceTimersByTime(1_000);
    expect(list.stats().open).toBe(8);
    vi.advanceTimersByTime(1_000);
    expect(list.stats()).toEqual({ open: 2, idle: 2, waiting: 0 });
    expect(burst.slice(0, 6).every((loan) => loan.client.destroyed)).toBe(true);
  });

  it('that is closed refuses and wakes those who wait', async () => {
    const list = newList({ maxConnections: 1 });
    take(list);
    const waiting = list.take(undefined);
    await list.close();
    await expect(waiting).rejects.toThrow('closed');
    await expect(list.take(undefined)).rejects.toThrow('closed');
  });
});
