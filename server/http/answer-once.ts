import 'server-only';
import { createHash } from 'node:crypto';
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_PATTERN } from '#server/contract/api/version.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Database } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';

/** How long a reply is kept. */
const KEPT_MS = 24 * 3_600_000;
/** A request that has not answered by then was cut off with its process, and may be made again. */
const CUT_OFF_MS = 60_000;

interface Once {
  readonly db: Database;
  readonly actorId: string;
  readonly key: string;
  /** Method and path. */
  readonly route: string;
  readonly input: unknown;
  readonly nowMs: number;
}

/**
 * Does `work` once per actor and key within a day: the same request again gets the kept reply, and one that differs is
 * refused as `conflict`, as is one whose first is still being answered. A refusal is not kept: the next try does the work.
 */
export async function answerOnce(once: Once, work: () => Promise<unknown>): Promise<unknown> {
  const { db, actorId, key, route, nowMs } = once;
  const bodySha256 = createHash('sha256').update(JSON.stringify(once.input)).digest('hex');
  await db.idempotentReply.deleteMany({ where: { createdAt: { lt: new Date(nowMs - KEPT_MS) } } });
  const row = { actorId, key, route, bodySha256, createdAt: new Date(nowMs) };
  const { count } = await db.idempotentReply.createMany({ data: [row], skipDuplicates: true });
  if (count === 0) {
    const known = await db.idempotentReply.findUnique({ where: { actorId_key: { actorId, key } } });
    if (known !== null && (known.route !== route || known.bodySha256 !== bodySha256)) throw otherRequest(key);
    if (known !== null && known.status !== null) return known.reply;
    if (!(await takeOver(once, known?.createdAt ?? null))) throw stillAnswering();
  }
  const where = { actorId_key: { actorId, key } };
  try {
    const reply = await work();
    await db.idempotentReply.update({ where, data: { status: 200, reply: dbJson(reply) } });
    return reply;
  } catch (error) {
    await db.idempotentReply.delete({ where });
    throw error;
  }
}

/** The key of a request; null without one. Refuses with `invalid_input` one that is not printable ASCII. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get(IDEMPOTENCY_HEADER);
  if (key === null || IDEMPOTENCY_PATTERN.test(key)) return key;
  throw new ServerError('invalid_input', {
    publicMessage: `${IDEMPOTENCY_HEADER} has 1 to 128 printable ASCII characters.`,
  });
}

async function takeOver({ db, actorId, key, nowMs }: Once, createdAt: Date | null): Promise<boolean> {
  if (createdAt === null || nowMs - createdAt.getTime() < CUT_OFF_MS) return false;
  const taken = await db.idempotentReply.updateMany({
    where: { actorId, key, status: null, createdAt },
    data: { createdAt: new Date(nowMs) },
  });
  return taken.count === 1;
}

function otherRequest(key: string): ServerError {
  return new ServerError('conflict', {
    publicMessage: `The key ${key} stands for another request of yours. Use a new one for each request.`,
  });
}

function stillAnswering(): ServerError {
  return new ServerError('conflict', { publicMessage: 'The same request is still being answered. Ask again shortly.' });
}
