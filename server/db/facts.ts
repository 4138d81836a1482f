import 'server-only';
import type { Reader } from './client.ts';

/** What was observed of a person, once and for ever. */
export type Fact = 'request explained' | 'refusal explained' | 'latency seen';

const keyOf = (userId: string, fact: Fact) => `fact:${userId}:${fact}`;

/** Notes a fact; noting it again does nothing. */
export async function noteFact(db: Reader, userId: string, fact: Fact, nowMs: number): Promise<void> {
  const key = keyOf(userId, fact);
  // Read first: the fact is nearly always there already, and a read takes no lock.
  if ((await db.setting.findUnique({ where: { key }, select: { key: true } })) !== null) return;
  await db.setting.createMany({ data: [{ key, value: nowMs }], skipDuplicates: true });
}

/** All facts of a person. */
export async function readFacts(db: Reader, userId: string): Promise<ReadonlySet<string>> {
  const prefix = `fact:${userId}:`;
  const rows = await db.setting.findMany({ where: { key: { startsWith: prefix } }, select: { key: true } });
  return new Set(rows.map(({ key }) => key.slice(prefix.length)));
}
