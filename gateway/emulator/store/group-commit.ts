import { CosmosError } from '#gateway/emulator/errors.ts';
import { type FlusherOptions, startFlusher } from './flusher.ts';
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

interface Queued {
  readonly execute: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

const MAX_GROUP = 256;

export function startGroupCommit(store: Store, options: FlusherOptions): GroupCommit {
  let queue: Queued[] = [];
  let scheduled = false;
  let onIdle: (() => void) | undefined;
  const onFlushed = (requests: number): void => {
    options.onFlushed(requests);
    if (isIdle()) onIdle?.();
  };
  const flusher = startFlusher(store.walPath, { ...options, onFlushed });
  const isIdle = (): boolean => queue.length === 0 && flusher.isIdle();

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(commitGroup);
  }

  function commitGroup(): void {
    scheduled = false;
    const group = queue.slice(0, MAX_GROUP);
    queue = queue.slice(MAX_GROUP);
    if (queue.length > 0) schedule();
    if (runGroup(store, group)) flusher.add(group);
    if (isIdle()) onIdle?.();
  }

  return {
    submit<T>(run: () => T): Promise<T> {
      if (onIdle !== undefined) return Promise.reject(new CosmosError(503, 'The endpoint is stopping.'));
      return new Promise<T>((resolve, reject) => {
        queue.push(queuedWork(run, resolve, reject));
        schedule();
      });
    },
    async close() {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        if (isIdle()) resolve();
      });
      flusher.close();
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
