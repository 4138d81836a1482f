import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '#prisma/client/client.ts';

/** The connected database. */
export type Database = PrismaClient;
/** A transaction in progress. */
export type Tx = Prisma.TransactionClient;
/** Whatever can read: the database itself or a transaction. */
export type Reader = Tx;

/** Opens a pool on `url`. Nothing connects before the first query. */
export function createDatabase(url: string, options: { readonly maxConnections?: number } = {}): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: 'habitat console',
  });
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

/**
 * Runs `work` in one transaction: all of it or nothing. Waits 5 s for a connection and gives up after 60 s: a publish over tens of thousands of definitions on a
 * busy machine takes a good part of that.
 */
export function withTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.$transaction(work, { maxWait: 5_000, timeout: 60_000 });
}
