import { z } from 'zod';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter, WriteCall } from '#gateway/pipeline/store-port.ts';
import { HEAD_ID } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { type CountDrift, driftOf } from '#gateway/store/repair/recount.ts';
import type { CountedHead, CountedItem } from './counted-item.ts';

export interface HeadDrift {
  readonly pk: string;
  readonly drift: CountDrift;
}

export interface HeadDrifts {
  readonly drift: readonly HeadDrift[];
  readonly unsure: readonly string[];
}

/** More at once are a fault of another kind; the rest is looked at with the next count. */
const MOST_SUSPECTS = 1_000;
const READ_WITHIN_MS = 3_000;

const Etag = z.object({ _etag: z.string() });

/**
 * Compares the heads of partitions with their items, both as one reading of the feed to its end showed them. Every write
 * that changes a count writes the head with it, so a difference is real if the head is still the one that was read: one
 * read of 1 RU for each suspect, none for what agrees. What was written since, or could not be read, is `unsure`. More
 * bytes than are stored are no drift: what expired is not taken off by itself.
 */
export async function findDrift(
  parts: StoreParts,
  items: readonly CountedItem[],
  meter: StoreMeter,
): Promise<HeadDrifts> {
  const drift: HeadDrift[] = [];
  const unsure: string[] = [];
  let asked = 0;
  for (const { pk, head, found } of suspectsAmong(items)) {
    asked += 1;
    const isStill = asked <= MOST_SUSPECTS && (await isStillThere(parts, { pk, head }, meter));
    // A store that does not answer now is not asked about the others.
    if (isStill === null) asked = MOST_SUSPECTS;
    if (isStill === true) drift.push({ pk, drift: found });
    else unsure.push(pk);
  }
  return { drift, unsure };
}

/** Whether a partition's head is the one that was read, or missing still; null when the store cannot tell. */
async function isStillThere(
  parts: StoreParts,
  { pk, head }: { readonly pk: string; readonly head: CountedHead | null },
  meter: StoreMeter,
): Promise<boolean | null> {
  const read = { pk, id: HEAD_ID, schema: Etag, consistency: 'critical' } as const;
  const now = await readItem(parts, read, newCall(parts, meter));
  return isDenial(now) ? null : now.item?._etag === head?.etag;
}

interface Partition {
  head: CountedHead | null;
  readonly n: Map<string, number>;
  bytes: number;
}

function suspectsAmong(items: readonly CountedItem[]) {
  const partitions = new Map<string, Partition>();
  for (const item of items) addTo(partitions, item);
  return [...partitions].flatMap(([pk, { head, n, bytes }]) => {
    // A sweep is at work on it.
    if (head?.isClosing === true) return [];
    const found = driftOf(head, { n: Object.fromEntries(n), heldBytes: bytes });
    return found === null ? [] : [{ pk, head, found }];
  });
}

function addTo(partitions: Map<string, Partition>, { pk, head, edge, bytes, isHeld }: CountedItem): void {
  const partition = partitions.get(pk) ?? { head: null, n: new Map<string, number>(), bytes: 0 };
  partitions.set(pk, partition);
  if (head !== null) partition.head = head;
  if (isHeld) partition.bytes += bytes;
  if (edge !== null) partition.n.set(edge.edgeType, (partition.n.get(edge.edgeType) ?? 0) + 1);
}

function newCall(parts: StoreParts, meter: StoreMeter): WriteCall {
  return {
    requestId: `feed-${parts.newUlid()}`,
    deadlineAtMs: parts.now() + READ_WITHIN_MS,
    consistency: 'critical',
    session: [],
    idempotency: null,
    meter,
  };
}
