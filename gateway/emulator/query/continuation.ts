import { createHash } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from '#gateway/emulator/errors.ts';

/** Where the next page starts: after this row of the order, with what is left of OFFSET and LIMIT. */
export interface Continuation {
  readonly after: { readonly key: string | number | Uint8Array; readonly doc: number };
  readonly offset: number;
  readonly limit: number | undefined;
}

const Wire = z.object({
  q: z.string(),
  k: z.union([z.string(), z.number()]),
  t: z.enum(['s', 'n', 'b']),
  d: z.number().int(),
  o: z.number().int().min(0),
  l: z.number().int().min(0).optional(),
});

/** Identifies what a token belongs to: a token of one query is refused by another. */
export function queryHash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

export function writeContinuation(hash: string, { after, offset, limit }: Continuation): string {
  const { key, doc } = after;
  const isBytes = key instanceof Uint8Array;
  const wire: z.infer<typeof Wire> = {
    q: hash,
    k: isBytes ? Buffer.from(key).toString('base64url') : key,
    t: isBytes ? 'b' : typeof key === 'string' ? 's' : 'n',
    d: doc,
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
  const { q, k, t, d, o, l } = parsed.data;
  if (q !== hash) throw badRequest('The continuation token belongs to another query.');
  const key = t === 'b' ? new Uint8Array(Buffer.from(String(k), 'base64url')) : k;
  return { after: { key, doc: d }, offset: o, limit: l };
}
