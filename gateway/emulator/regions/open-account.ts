import { createPublicKey, createSecretKey } from 'node:crypto';
import { openCatalog } from '#gateway/emulator/catalog/catalog.ts';
import { type Endpoint, nowSeconds } from '#gateway/emulator/endpoint.ts';
import { coversAccount, type FaultBook } from '#gateway/emulator/faults/fault-book.ts';
import type { AccountPlan } from '#gateway/emulator/options.ts';
import { startCheckpointer } from '#gateway/emulator/store/checkpointer.ts';
import { startGroupCommit } from '#gateway/emulator/store/group-commit.ts';
import { openStore } from '#gateway/emulator/store/open-store.ts';
import { MAX_PURGED, purgeExpired } from '#gateway/emulator/store/purge.ts';
import { createLagViews } from './lag-views.ts';
import type { Account, Region } from './region.ts';
import { createRuBudget } from './ru-budget.ts';

export interface AccountSurroundings {
  /** The account's own folder. */
  readonly dir: string;
  readonly host: string;
  readonly partitionBytes: number | undefined;
  readonly faults: FaultBook;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly onFatal: (error: Error) => void;
  readonly onUnexpected: (error: unknown) => void;
  /** Pages of log that a lag may hold; 2 GB of them by default. */
  readonly maxHeldLogPages?: number;
  /** Hears of what the endpoint did by itself. */
  readonly onNotice: (message: string) => void;
}

export interface OpenAccount {
  readonly account: Account;
  /** Nothing may serve it any more. Puts everything on disk and releases the folder. */
  close(): Promise<void>;
}

const PURGE_EVERY_MS = 30_000;

/** Opens the data of an account. Its regions do not listen yet. */
export function openAccount(plan: AccountPlan, around: AccountSurroundings): OpenAccount {
  const { onFatal, maxHeldLogPages } = around;
  // A key that is none is refused before the folder is taken.
  const key = createSecretKey(Buffer.from(plan.key, 'base64'));
  const entraKey = plan.entraPublicKey === null ? null : createPublicKey(plan.entraPublicKey);
  const store = openStore(around.dir);
  const onHeldTooLong = (): void => endLags(plan, around);
  const checkpointer = startCheckpointer(store, {
    onFatal,
    onHeldTooLong,
    ...(maxHeldLogPages && { maxHeldLogPages }),
  });
  const commit = startGroupCommit(store, { onFatal, onFlushed: checkpointer.noteWrites });
  const endpoint: Endpoint = {
    store,
    catalog: openCatalog(store),
    commit,
    key,
    entraKey,
    consistency: plan.consistency,
    nowMs: around.nowMs,
    keepsExpired: false,
    partitionBytes: around.partitionBytes,
  };
  const views = createLagViews(endpoint, checkpointer);
  const account = accountOf(plan, around, { endpoint, views });
  const purging = setInterval(() => void purge(account).catch(around.onUnexpected), PURGE_EVERY_MS);
  purging.unref();
  return {
    account,
    async close() {
      clearInterval(purging);
      views.closeAll();
      await commit.close();
      await checkpointer.close();
      store.close();
    },
  };
}

function accountOf(
  plan: AccountPlan,
  { faults, random, host }: AccountSurroundings,
  { endpoint, views }: Pick<Account, 'endpoint' | 'views'>,
): Account {
  const { name, key, partitionRuPerSecond } = plan;
  const regions: Region[] = [];
  const writeRegion = plan.regions[0]?.name ?? '';
  const account: Account = { name, key, endpoint, faults, views, regions, random, writeRegion, partitionRuPerSecond };
  for (const { name, port } of plan.regions) {
    regions.push({ name, account, host, port, budget: createRuBudget(), requests: 0, throttled: 0, waiting: 0 });
  }
  return account;
}

async function purge({ name, endpoint, faults }: Account): Promise<void> {
  const isKept = faults.list().some((fault) => fault.effect.kind === 'keepExpired' && coversAccount(fault, name));
  if (isKept) return;
  const { store, catalog, commit } = endpoint;
  let purged: number;
  do purged = await commit.submit(() => purgeExpired(store, catalog, nowSeconds(endpoint)));
  while (purged >= MAX_PURGED);
}

/** Ends what holds the log of an account open, so that a lag that was forgotten cannot fill the disk. */
function endLags({ name }: AccountPlan, { faults, onNotice }: AccountSurroundings): void {
  for (const fault of faults.list()) {
    const { kind } = fault.effect;
    if ((kind !== 'lag' && kind !== 'replicaLag') || !coversAccount(fault, name)) continue;
    faults.remove(fault.id);
    onNotice(`A lag of ${name} was switched off: the log that it kept open had grown too long.`);
  }
}
