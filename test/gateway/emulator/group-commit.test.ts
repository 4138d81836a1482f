import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CosmosError } from '#gateway/emulator/errors.ts';
import type { FlusherOptions } from '#gateway/emulator/store/flusher.ts';
import { startGroupCommit } from '#gateway/emulator/store/group-commit.ts';
import { openStore, type Store } from '#gateway/emulator/store/open-store.ts';
import { newFolder } from './with-emulator.ts';

let dir: string;
let store: Store;
beforeEach(() => {
  dir = newFolder();
  store = openStore(dir);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const insert = (id: string) => (): void => {
  store.prepare('INSERT INTO databases (id, ts) VALUES (?, 1)').run(id);
};
const refuse = (): never => {
  throw new CosmosError(409, 'no');
};
const names = (): unknown[] =>
  store
    .prepare('SELECT id FROM databases ORDER BY id')
    .all()
    .map(({ id }) => id);

function start(options: Partial<FlusherOptions> = {}) {
  const fatal: Error[] = [];
  const flushed: number[] = [];
  const commit = startGroupCommit(store, {
    onFatal: (error) => fatal.push(error),
    onFlushed: (requests) => flushed.push(requests),
    ...options,
  });
  return { commit, fatal, flushed };
}

it('all requests of a turn share one transaction and one flush', async () => {
  const { commit, flushed } = start();
  await Promise.all(Array.from({ length: 50 }, (_, at) => commit.submit(insert(`d${at}`))));
  expect(flushed).toEqual([50]);
  expect(names()).toHaveLength(50);
  await commit.close();
});

it('a request that fails takes back its own writes and nobody else’s', async () => {
  const { commit } = start();
  const failing = commit.submit(() => {
    insert('b')();
    throw new CosmosError(409, 'no');
  });
  const others = [commit.submit(insert('a')), failing, commit.submit(insert('c'))];
  const outcomes = await Promise.allSettled(others);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(names()).toEqual(['a', 'c']);
  await commit.close();
});

it('a commit that fails fails the whole group, and the next group is served', async () => {
  const { commit } = start();
  const orphan = (): void => {
    // Checked by SQLite at COMMIT only, so this is a commit that really fails.
    store.db.exec('PRAGMA defer_foreign_keys = ON');
    store.prepare("INSERT INTO containers (database, id, definition, ts) VALUES (999, 'c', '{}', 1)").run();
  };
  const outcomes = await Promise.allSettled([commit.submit(insert('a')), commit.submit(orphan)]);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.status)).toEqual([503, 503]);
  expect(names()).toEqual([]);
  await commit.submit(insert('b'));
  expect(names()).toEqual(['b']);
  await commit.close();
});

it('nobody is answered before the flush, refusals included', async () => {
  const waiting: (() => void)[] = [];
  const flushFile = (_fd: number, done: (error: Error | null) => void): void => void waiting.push(() => done(null));
  const { commit } = start({ flushFile });
  const answered: string[] = [];
  const good = commit.submit(insert('a')).then(() => answered.push('good'));
  const refused = commit.submit(refuse).catch(() => answered.push('refused'));
  await expect.poll(() => waiting.length).toBe(1);
  expect(names()).toEqual(['a']);
  expect(answered).toEqual([]);
  waiting[0]?.();
  await Promise.all([good, refused]);
  expect(answered).toHaveLength(2);
  await commit.close();
});

it('a flush that fails is fatal and answers nobody', async () => {
  const flushFile = (_fd: number, done: (error: Error | null) => void): void => done(new Error('EIO'));
  const { commit, fatal } = start({ flushFile });
  let answered = false;
  commit.submit(insert('a')).finally(() => {
    answered = true;
  });
  await expect.poll(() => fatal.length).toBe(1);
  expect(answered).toBe(false);
});

it('closing waits for what is queued and refuses what comes later', async () => {
  const { commit } = start();
  const last = commit.submit(insert('a'));
  await commit.close();
  await last;
  expect(names()).toEqual(['a']);
  await expect(commit.submit(insert('b'))).rejects.toMatchObject({ status: 503 });
});
