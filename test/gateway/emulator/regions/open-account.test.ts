import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Container } from '#gateway/emulator/catalog/container.ts';
import { createFaultBook, type FaultBook } from '#gateway/emulator/faults/fault-book.ts';
import { applyFault, liftFault } from '#gateway/emulator/faults/place-fault.ts';
import { applyOperation } from '#gateway/emulator/items/apply-operation.ts';
import { runInPartition } from '#gateway/emulator/items/request-scope.ts';
import { planAccounts } from '#gateway/emulator/options.ts';
import { type OpenAccount, openAccount } from '#gateway/emulator/regions/open-account.ts';
import type { Account } from '#gateway/emulator/regions/region.ts';
import { newFolder } from '#test/gateway/emulator/with-emulator.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let dir: string;
let nowMs: number;
let faults: FaultBook;
let opened: OpenAccount;
let container: Container;
const notices: string[] = [];
beforeEach(async () => {
  // The purge alone goes by an interval; all else of an account by the loop and the disk.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  dir = newFolder();
  nowMs = 1_000_000;
  notices.length = 0;
  const accounts: Account[] = [];
  faults = createFaultBook({
    nowMs: () => nowMs,
    random: Math.random,
    onAdded: (fault) => applyFault({ accounts, regions: [] }, fault),
    onRemoved: (fault, remaining) => liftFault({ accounts, regions: [] }, fault, remaining),
  });
  const [plan] = planAccounts({ dir, port: 0 });
  if (plan === undefined) throw new Error('there is no account');
  const fail = (error: unknown): never => {
    throw error;
  };
  opened = openAccount(plan, {
    dir,
    host: '127.0.0.1',
    partitionBytes: undefined,
    faults,
    nowMs: () => nowMs,
    random: Math.random,
    onFatal: fail,
    onUnexpected: fail,
    onNotice: (message) => void notices.push(message),
    maxHeldLogPages: 1_000,
  });
  accounts.push(opened.account);
  const { catalog, commit } = opened.account.endpoint;
  container = await commit.submit(() => {
    catalog.createDatabase('d', 1);
    return catalog.createContainer('d', { id: 'c', partitionKey: { paths: ['/pk'] }, defaultTtl: -1 }, 1);
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await opened.close();
  rmSync(dir, { recursive: true });
});

function create(document: object): Promise<void> {
  const { store, commit } = opened.account.endpoint;
  const options = { store, container, pk: '["p"]', nowSeconds: Math.floor(nowMs / 1_000) };
  return commit.submit(() => {
    runInPartition(options, (scope) =>
      applyOperation({ ...scope, operation: 0 }, { kind: 'create', document, guards: {} }),
    );
  });
}

const rows = (): number =>
  Number(opened.account.endpoint.store.prepare(`SELECT count(*) AS n FROM ${container.table}`).get()?.n);

/** What the purge queues is done once something that was queued after it is. */
async function purge(): Promise<void> {
  vi.advanceTimersByTime(30_000);
  await opened.account.endpoint.commit.submit(() => {});
}

it('expired items leave the disk within half a minute, except while a fault keeps them', async () => {
  await create({ id: 'short', pk: 'p', ttl: 5 });
  nowMs += 10_000;
  const { id } = faults.add({ percent: 100, effect: { kind: 'keepExpired' } });
  await purge();
  expect(rows()).toBe(1);
  faults.remove(id);
  const elsewhere = faults.add({ account: 'other', percent: 100, effect: { kind: 'keepExpired' } });
  await purge();
  expect(rows()).toBe(0);
  faults.remove(elsewhere.id);
});

it('a lag whose log has grown too long is switched off, and the account says so', async () => {
  faults.add({ percent: 100, effect: { kind: 'lag', lagMs: null } });
  faults.add({ percent: 100, effect: { kind: 'reset' } });
  let written = 0;
  await waitUntil(async () => {
    const group = Array.from({ length: 500 }, () =>
      create({ id: String(written++), pk: 'p', fill: 'x'.repeat(4_000) }),
    );
    await Promise.all(group);
    return notices.length > 0;
  });
  expect(notices).toEqual(['A lag of habitat-local was switched off: the log that it kept open had grown too long.']);
  expect(faults.list().map(({ effect }) => effect.kind)).toEqual(['reset']);
});
