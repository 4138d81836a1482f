import type { EdgeTypeName, ObjectId, TenantName } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { ContentBinding } from '#gateway/pipeline/store-port.ts';
import { TOMBSTONE_TTL_S } from '#gateway/store/layout/items.ts';
import { sortString } from '#gateway/store/layout/sort-string.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import type { Body } from '#gateway/store/write/guarded-batch.ts';

/** Where an edge is stored, and what it is. */
export interface EdgePlace {
  readonly pk: string;
  readonly id: string;
  readonly type: EdgeTypeName;
  readonly to: ObjectId;
}

/** What lists show of an edge. */
export interface EdgeContent {
  readonly timeMs: number;
  readonly data: Uint8Array | null;
}

/** An edge as stored, its data sealed to this state. */
export async function liveEdge(
  parts: StoreParts,
  place: EdgePlace & { readonly tenant: TenantName },
  state: EdgeContent & { readonly r: number; readonly w: string },
): Promise<Body | Denial> {
  const { tenant, pk, id, type, to } = place;
  const { r, w, timeMs, data } = state;
  const clear = { id, pk, type, to, s: sortString(type, timeMs, to), r, w, timeMs };
  if (data === null) return clear;
  const binding: ContentBinding = { tenant, pk, itemId: id, type, r, timeMs };
  const content = await parts.content.seal(binding, data, '');
  return isDenial(content) ? content : { ...clear, content };
}

/** What a delete leaves of an edge. */
export function deadEdge(
  { id, pk, type, to }: EdgePlace,
  { r, w, nowMs }: { readonly r: number; readonly w: string; readonly nowMs: number },
): Body {
  return { id, pk, type, to, r, w, timeMs: nowMs, dead: true, ttl: TOMBSTONE_TTL_S };
}
