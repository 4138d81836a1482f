import type { Container } from '#gateway/emulator/catalog/container.ts';
import { CosmosError } from '#gateway/emulator/errors.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';

/** Keeps the table that counts the bytes of bodies in each partition, expired ones included until they are purged. */
export const SIZES_SQL = `CREATE TABLE IF NOT EXISTS partitions (
  container INTEGER NOT NULL, pk TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (container, pk)) WITHOUT ROWID`;

interface Growth {
  readonly pk: string;
  /** Negative when the partition shrinks. */
  readonly bytes: number;
}

export function growPartition(store: Store, container: Container, { pk, bytes }: Growth): void {
  if (bytes === 0) return;
  const sql = `INSERT INTO partitions (container, pk, bytes) VALUES (?, ?, ?)
    ON CONFLICT (container, pk) DO UPDATE SET bytes = bytes + excluded.bytes`;
  store.prepare(sql).run(container.num, pk, bytes);
}

export function partitionBytes(store: Store, container: Container, pk: string): number {
  const row = store.prepare('SELECT bytes FROM partitions WHERE container = ? AND pk = ?').get(container.num, pk);
  return Number(row?.bytes ?? 0);
}

export function clearSizes(store: Store, { num }: { readonly num: number }): void {
  store.prepare('DELETE FROM partitions WHERE container = ?').run(num);
}

/** The growth of one partition over the operations of a request; looked up and stored once. */
export interface PartitionGrowth {
  /** Refuses (403/1014) what would take the partition beyond its limit; what makes it smaller is always taken. */
  add(bytes: number): void;
  save(): void;
}

export function partitionGrowth(store: Store, container: Container, { pk, limitBytes }: GrowthLimit): PartitionGrowth {
  let before: number | undefined;
  let grown = 0;
  return {
    add(bytes) {
      grown += bytes;
      if (bytes <= 0) return;
      before ??= partitionBytes(store, container, pk);
      if (before + grown > limitBytes) {
        throw new CosmosError(403, 'Partition key reached maximum size of 20 GB.', { subStatus: 1014 });
      }
    },
    save: () => growPartition(store, container, { pk, bytes: grown }),
  };
}

export interface GrowthLimit {
  readonly pk: string;
  readonly limitBytes: number;
}
