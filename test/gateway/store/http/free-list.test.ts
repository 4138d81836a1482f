import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { assertFifo } from '#gateway/store/http/assert-fifo.ts';
import type { Connection } from '#gateway/store/http/connection.ts';
import { createFreeList, type FreeListOptions } from '#gateway/store/http/free-list.ts';

function newList(change: Partial<FreeListOptions> = {}) {
  const list = createFreeList({
    ...{ origin: 'http://127.0.0.1:9', maxConnections: 16, baseConnections: 2, now: () => 0, random: () => 0 },
    ...change,
  });
  onTestFinished(() => list.close());
  return list;
}

function take(list: ReturnType<typeof newList>): Connection {
  const connection = list.tryTake();
  if (connection === null) throw new Error('no room');
  return connection;
}

function takeMany(list: ReturnType<typeof newList>, count: number): readonly Connection[] {
  return Array.from({ length: count }, () => take(list));
}

describe('the free list', () => {
  it('reuses connections in the order A B C A B C', () => {
    const list = newList();
    for (const connection of takeMany(list, 3)) list.giveBack(connection, true);
    const order = Array.from({ length: 6 }, () => {
      const connection = take(list);
      list.giveBack(connection, true);
      return connection.name;
    });
    expect(order).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it('is checked for that order at start, which leaves no connection behind', () => {
    const list = newList();
    expect(() => assertFifo(list)).not.toThrow();
    expect(list.stats()).toEqual({ open: 0, idle: 0, waiting: 0, opened: 0, requests: 0 });
    expect(() => assertFifo(newList({ maxConnections: 1 }))).not.toThrow();
  });

  it('refuses to start when it is not first in, first out', () => {
    const list = newList();
    const stack: Connection[] = [];
    const lastInFirstOut = {
      ...list,
      tryTake: () => stack.pop() ?? list.tryTake(),
      giveBack: (connection: Connection) => void stack.push(connection),
    };
    expect(() => assertFifo(lastInFirstOut)).toThrow(/order 3 3 3/);
  });

  it('makes no more connections than its cap, and serves those who wait in order', async () => {
    const list = newList({ maxConnections: 2 });
    const [a, b] = [take(list), take(list)];
    expect(list.tryTake()).toBeNull();
    const order: string[] = [];
    const queue = async (name: string) => {
      const connection = await list.take(undefined);
      order.push(name);
      return connection.name;
    };
    const [first, second] = [queue('first'), queue('second')];
    expect(list.stats()).toMatchObject({ open: 2, idle: 0, waiting: 2 });
    list.giveBack(a, true);
    list.giveBack(b, false);
    expect(await first).toBe(a.name);
    // The broken one made room for a new one.
    expect(await second).toBe(3);
    expect(order).toEqual(['first', 'second']);
    expect(list.stats().requests).toBe(2);
  });

  it('opens no more connections at once than it may, whatever the burst', () => {
    const list = newList({ maxDialling: 3 });
    takeMany(list, 3);
    expect(list.tryTake()).toBeNull();
    void list.take(undefined).catch(() => undefined);
    expect(list.stats()).toMatchObject({ open: 3, waiting: 1 });
  });

  it('lets go of a waiter whose time is up', async () => {
    const list = newList({ maxConnections: 1 });
    const only = take(list);
    const abort = new AbortController();
    const waiting = list.take(abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow('deadline');
    list.giveBack(only, true);
    expect(list.stats()).toMatchObject({ open: 1, idle: 1, waiting: 0 });
    await expect(newList({ maxConnections: 0 }).take(AbortSignal.abort())).rejects.toThrow('deadline');
  });

  it('gives up a connection that only a late reply holds when its room is needed', async () => {
    const list = newList({ maxConnections: 2 });
    const [busy, abandoned] = [take(list), take(list)];
    list.noteAbandoned(abandoned);
    const next = list.take(undefined);
    expect([busy.client.destroyed, abandoned.client.destroyed]).toEqual([false, true]);
    list.giveBack(abandoned, false);
    expect((await next).name).toBe(3);
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

describe('a connection', () => {
  it('is not reused when it is older than its maximum age, which jitter shortens', () => {
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

  it('in use at its maximum age is closed after that one request', () => {
    let nowMs = 0;
    const list = newList({ maxAgeMs: 1_000, now: () => nowMs });
    const old = take(list);
    nowMs = 5_000;
    expect(old.client.destroyed).toBe(false);
    list.giveBack(old, true);
    expect(old.client.destroyed).toBe(true);
    expect(list.stats().open).toBe(0);
  });

  it('that is idle is closed before it passes its maximum age', () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const list = newList({ maxAgeMs: 60_000, tickMs: 1_000, now: Date.now });
    const old = take(list);
    list.giveBack(old, true);
    vi.advanceTimersByTime(58_999);
    expect(old.client.destroyed).toBe(false);
    vi.advanceTimersByTime(1_001);
    expect(old.client.destroyed).toBe(true);
  });

  it('has no maximum age when that is 0', () => {
    let nowMs = 0;
    const list = newList({ maxAgeMs: 0, now: () => nowMs });
    const only = take(list);
    list.giveBack(only, true);
    nowMs = 10 ** 12;
    expect(take(list).name).toBe(only.name);
  });
});

describe('after a burst', () => {
  function burst(list: ReturnType<typeof newList>, size: number): readonly Connection[] {
    const taken = takeMany(list, size);
    for (const connection of taken) list.giveBack(connection, true);
    return taken;
  }

  it('the list is at its base within 10 s, the longest idle closed first', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // A burst right after a tick is the slowest to be forgotten.
    for (const beforeMs of [0, 1, 500, 999]) {
      const list = newList({ maxConnections: 64, maxDialling: 64, baseConnections: 4 });
      vi.advanceTimersByTime(beforeMs);
      const taken = burst(list, 64);
      expect(list.stats().open).toBe(64);
      vi.advanceTimersByTime(10_000);
      expect(list.stats()).toMatchObject({ open: 4, idle: 4 });
      expect(taken.map((connection) => connection.client.destroyed)).toEqual(taken.map((_, at) => at < 60));
    }
  });

  it('the list keeps as many as were in use lately', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const list = newList({ baseConnections: 2 });
    burst(list, 12);
    for (let second = 0; second < 20; second += 1) {
      burst(list, 5);
      vi.advanceTimersByTime(1_000);
    }
    expect(list.stats().open).toBe(5);
  });
});
