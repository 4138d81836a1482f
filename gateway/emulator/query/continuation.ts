import { createHash } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from '#gateway/emulator/errors.ts';
import type { OrderKey, RowPosition } from './order.ts';

/** Where the next page starts: after this row of the order, with what is left of OFFSET and LIMIT. */
export interface Continuation {
  readonly after: RowPosition;
  readonly offset: number;
  readonly limit: number | undefined;
}

const Wire = z.object({
  q: z.string(),
  k: z.array(z.union([z.string(), z.number(), z.object({ b: z.string() })])).max(8),
  d: z.number().int(),
  o: z.number().int().min(0),
  l: z.number().int().min(0).optional(),
});

/** Identifies what a token belongs to: a token of one query is refused by another. */
export function queryHash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

export function writeContinuation(hash: string, { after, offset, limit }: Continuation): string {
  const wire: z.infer<typeof Wire> = {
    q: hash,
    k: after.keys.map((key) => (key instanceof Uint8Array ? { b: Buffer.from(key).toString('base64url') } : key)),
    d: after.doc,
    o: offset,
    ...(limit === undefined ? {} : { l: limit }),
  };
  return Buffer.from(JSON.stringify(wire)).toString('base64url');
}

export function readContinuation(hash: string, token: string): Continuation {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw badRequest('The continuation token is malformed.');
  }
  const parsed = Wire.safeParse(content);
  if (!parsed.success) throw badRequest('The continuation token is malformed.');
  const { q, k, d, o, l } = parsed.data;
  if (q !== hash) throw badRequest('The continuation token belongs to another query.');
  return { after: { keys: k.map(readKey), doc: d }, offset: o, limit: l };
}

const readKey = (key: z.infer<typeof Wire>['k'][number]): OrderKey =>
  typeof key === 'object' ? new Uint8Array(Buffer.from(key.b, 'base64url')) : key;
