import 'server-only';
import type { Person } from '#server/contract/people.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';

/** A publish that waits until the rollout before it ends. */
export interface QueuedPublish {
  readonly id: number;
  /** Null for an act on keys. */
  readonly change: number | null;
  /** What was approved; another content is not published unseen. */
  readonly contentHash: string | null;
  readonly cause: string;
  readonly by: Person;
  readonly atMs: number;
}

/** All that waits, first come first. */
export async function readQueue(db: Reader): Promise<readonly QueuedPublish[]> {
  const rows = await db.queuedPublish.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ id, changeNumber, contentHash, cause, byId, byName, at }) => ({
    id,
    change: changeNumber,
    contentHash,
    cause,
    by: { id: byId, name: byName },
    atMs: at.getTime(),
  }));
}

/** Puts a publish at the end of the queue. The same change waits once, in the place it had. */
export async function enqueue(tx: Tx, publish: Omit<QueuedPublish, 'id'>): Promise<void> {
  const { change, contentHash, cause, by, atMs } = publish;
  const data = { changeNumber: change, contentHash, cause, byId: by.id, byName: by.name, at: new Date(atMs) };
  const known = change === null ? null : await tx.queuedPublish.findUnique({ where: { changeNumber: change } });
  if (known === null) await tx.queuedPublish.create({ data });
  else await tx.queuedPublish.update({ where: { id: known.id }, data: { contentHash } });
  await notify(tx, 'changes', 'releases');
}

/** Takes a change out of the queue, when it is there. */
export async function unqueue(tx: Tx, change: number): Promise<void> {
  await tx.queuedPublish.deleteMany({ where: { changeNumber: change } });
}

/** Every release carries all live keys, so acts on keys wait no longer once there is a new one. */
export async function forgetQueuedKeys(tx: Tx): Promise<void> {
  await tx.queuedPublish.deleteMany({ where: { changeNumber: null } });
}
