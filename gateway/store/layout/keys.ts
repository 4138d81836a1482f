import { createHash } from 'node:crypto';
import type { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import type { EdgeRule, Idempotency, ObjectKey } from '#gateway/pipeline/store-port.ts';

export const HEAD_ID = 'h';
export const OBJECT_ID = 'o';

/**
 * Whether a head's bytes must hold an item: all but the head, the object, and records of what was answered, since a keyed
 * put of the object leaves one without touching the head.
 */
export function isHeldByHead(id: string): boolean {
  return id !== HEAD_ID && id !== OBJECT_ID && !id.startsWith('i~');
}

/** `<tenant>|<type>|<id>`: one logical partition for an object and its edges. At most 863 of Cosmos's 2,048 bytes. */
export function partitionKeyOf(key: ObjectKey): string {
  return `${key.tenant}|${key.type}|${escapeId(key.id)}`;
}

/** `e~<edgeType>~<toId>`, so that an edge is there at most once; cardinality one has no target in its id. */
export function edgeItemId(rule: Pick<EdgeRule, 'edgeType' | 'cardinality'>, toId: ObjectId): string {
  return rule.cardinality === 'one' ? `e~${rule.edgeType}` : manyEdgeItemId(rule.edgeType, toId);
}

export function manyEdgeItemId(edgeType: EdgeTypeName, toId: ObjectId): string {
  return `e~${edgeType}~${escapeId(toId)}`;
}

/** `i~<hash22>`: 132 bits of SHA-256 over principal and key, so keys of two principals never meet. */
export function recordId(idempotency: Pick<Idempotency, 'principal' | 'key'>): string {
  const named = JSON.stringify([idempotency.principal, idempotency.key]);
  return `i~${createHash('sha256').update(named).digest('base64url').slice(0, 22)}`;
}

/**
 * Cosmos refuses `/ \ ? #` in ids, and `|` and `~` separate ours. Letters, digits, `-`, `_` and `.` stay as they are;
 * every other byte of the UTF-8 form becomes `=XX`. Two ids never meet, and the longest stays under Cosmos's 1,023 bytes.
 */
export function escapeId(id: string): string {
  if (/^[A-Za-z0-9._-]*$/.test(id)) return id;
  let escaped = '';
  for (const byte of Buffer.from(id)) {
    const char = String.fromCharCode(byte);
    escaped += /[A-Za-z0-9._-]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** The id that `escapeId` made this of. */
export function unescapeId(escaped: string): string {
  return decodeURIComponent(escaped.replaceAll('=', '%'));
}
