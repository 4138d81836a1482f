import 'server-only';
import type { LiveTopic } from '#server/contract/shell.ts';
import type { Tx } from './client.ts';

/** The one Postgres channel. Its payload is a topic. */
export const NOTIFY_CHANNEL = 'habitat';

/**
 * Tells every console process that data under these topics changed. Delivered when the transaction commits, never
 * when it rolls back. Postgres folds equal payloads of one transaction.
 */
export async function notify(tx: Tx, ...topics: readonly LiveTopic[]): Promise<void> {
  for (const topic of topics) await tx.$executeRaw`SELECT pg_notify(${NOTIFY_CHANNEL}, ${topic})`;
}
