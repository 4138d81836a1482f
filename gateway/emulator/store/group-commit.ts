import { closeSync, fdatasync, openSync } from 'node:fs';
import { CosmosError } from '#gateway/emulator/errors.ts';
import type { Store } from './open-store.ts';

/** Runs writes in groups: one transaction and one flush to disk for all that arrive in a turn of the event loop. */
export interface GroupCommit {
  /**
   * Queues `run` into the next group. It runs inside a savepoint, synchronously; a throw rolls back this piece alone.
   * Settles only after the group is committed and flushed, refusals included: a 409 is evidence for the caller.
   */
  submit<T>(run: () => T): Promise<T>;
  /** Waits until everything queued is on disk, then refuses more. */
  close(): Promise<void>;
}

export interface GroupCommitOptions {
  /** Called when the disk refuses a flush. Nothing acknowledged can be trusted after that; the process must end. */
  readonly onFatal: (error: Error) => void;
  /** Called after each flush with the number of requests in it. */
  readonly onFlushed: (requests: number) => void;
  /** Puts the write-ahead log on disk; `fdatasync` unless a test says otherwise. */
  readonly flushFile?: (fd: number, done: (error: Error | null) => void) => void;
}

interface Queued {
  readonly execute: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

const MAX_GROUP = 256;

export function startGroupCommit(store: Store, options: GroupCommitOptions): GroupCommit {
  const flushFile = options.flushFile ?? fdatasync;
  const walFd = openSync(store.walPath, 'r+');
  const queue: Queued[] = [];
  let unflushed: Queued[] = [];
  let scheduled = false;
  let flushing = false;
  let closed = false;
  let onIdle: (() => void) | undefined;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(commitGroup);
  }

  function commitGroup(): void {
    scheduled = false;
    const group = queue.splice(0, MAX_GROUP);
    if (queue.length > 0) schedule();
    if (runGroup(store, group)) unflushed.push(...group);
    flush();
  }

  function flush(): void {
    if (flushing) return;
    if (unflushed.length === 0) {
      if (queue.length === 0) onIdle?.();
      return;
    }
    flushing = true;
    const group = unflushed;
    unflushed = [];
    // The flush starts after the commit, so it covers it; later groups commit meanwhile and wait for the next one.
    flushFile(walFd, (error) => {
      if (error !== null) return options.onFatal(error);
      flushing = false;
      for (const queued of group) queued.settle();
      options.onFlushed(group.length);
      flush();
    });
  }

  return {
    submit<T>(run: () => T): Promise<T> {
      if (closed) return Promise.reject(new CosmosError(503, 'The endpoint is stopping.'));
      return new Promise<T>((resolve, reject) => {
        queue.push(queuedWork(run, resolve, reject));
        schedule();
      });
    },
    async close() {
      closed = true;
      if (queue.length > 0 || flushing || unflushed.length > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      }
      closeSync(walFd);
    },
  };
}

function queuedWork<T>(run: () => T, resolve: (value: T) => void, reject: (error: unknown) => void): Queued {
  let settle: () => void = () => reject(new Error('settled before it ran'));
  return {
    execute() {
      const value = run();
      settle = () => resolve(value);
    },
    settle: () => settle(),
    fail(error) {
      settle = () => reject(error);
    },
  };
}

/** False when the whole group failed at commit; its members are then already settled. */
function runGroup(store: Store, group: readonly Queued[]): boolean {
  try {
    store.db.exec('BEGIN IMMEDIATE');
    for (const queued of group) runOne(store, queued);
    store.db.exec('COMMIT');
    return true;
  } catch (error) {
    if (store.db.isTransaction) store.db.exec('ROLLBACK');
    for (const queued of group) {
      queued.fail(new CosmosError(503, `The group could not be committed: ${(error as Error).message}`));
      queued.settle();
    }
    return false;
  }
}

function runOne(store: Store, queued: Queued): void {
  store.db.exec('SAVEPOINT request');
  try {
    queued.execute();
  } catch (error) {
    store.db.exec('ROLLBACK TO request');
    queued.fail(error);
  }
  store.db.exec('RELEASE request');
}
