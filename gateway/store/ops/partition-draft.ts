import { z } from 'zod';
import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { CommitPart, EdgeRule, ObjectKey, WriteCall } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, HeadItem, isDead, ObjectItem } from '#gateway/store/layout/items.ts';
import { edgeItemId, HEAD_ID, OBJECT_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItems } from '#gateway/store/read/read-items.ts';
import { revisionAfter, type State } from '#gateway/store/write/settle.ts';
import { storedEdge } from './edge-route.ts';

/** What a commit found in its partition: its head and every item that it names. */
export interface Found {
  readonly head: HeadItem | null;
  readonly object: ObjectItem | null;
  readonly edges: ReadonlyMap<string, EdgeItem>;
}

/** An edge as it is at some point of a commit. */
export interface EdgeNow {
  readonly toId: ObjectId;
  readonly timeMs: number;
  readonly dataBytes: number;
  /** The data in clear: what came with the commit, or what is stored. */
  open(): Promise<Uint8Array | null | Denial>;
}

/** The place of an edge in a commit. Cardinality one has one place for all targets. */
export interface EdgeSlot {
  readonly id: string;
  readonly rule: EdgeRule;
  /** The target that named it first. */
  readonly to: ObjectId;
  readonly previous: EdgeItem | null;
  /** Revision that the commit gives it. */
  readonly r: number;
  readonly before: EdgeNow | null;
  now: EdgeNow | null;
}

const Stored = z.looseObject({ id: z.string() });

/** Everything that a commit is about to decide on, by one critical query. */
export async function readFound(
  parts: StoreParts,
  on: { readonly key: ObjectKey; readonly steps: readonly CommitPart[] },
  call: WriteCall,
): Promise<State<Found> | Denial> {
  const ids = [HEAD_ID, ...new Set(on.steps.flatMap(idsOf))];
  const address = { pk: partitionKeyOf(on.key), ids, schema: Stored, consistency: 'critical' } as const;
  const read = await readItems(parts, address, call);
  if (isDenial(read)) return read;
  let head: HeadItem | null = null;
  let object: ObjectItem | null = null;
  const edges = new Map<string, EdgeItem>();
  for (const item of read.items) {
    if (item.id === HEAD_ID) head = HeadItem.parse(item);
    else if (item.id === OBJECT_ID) object = ObjectItem.parse(item);
    else edges.set(item.id, EdgeItem.parse(item));
  }
  return { state: { head, object, edges } };
}

/** Ids of the items that a part of a commit names. */
function idsOf(step: CommitPart): readonly string[] {
  if (step.operation === 'object.put') return [OBJECT_ID];
  const id = edgeItemId(step.rule, step.toId);
  return step.operation === 'edge.changeType' ? [id, edgeItemId(step.to.rule, step.toId)] : [id];
}

/** The edges that a commit names, made from what was found and changed in memory. */
export interface Draft {
  slotOf(rule: EdgeRule, toId: ObjectId): EdgeSlot;
  slots(): readonly EdgeSlot[];
}

export function openDraft(
  parts: StoreParts,
  { key, found, nowMs }: { readonly key: ObjectKey; readonly found: Found; readonly nowMs: number },
): Draft {
  const slots = new Map<string, EdgeSlot>();
  return {
    slotOf: (rule, toId) => {
      const id = edgeItemId(rule, toId);
      const known = slots.get(id);
      if (known !== undefined) return known;
      const previous = found.edges.get(id) ?? null;
      const before = previous === null ? null : storedNow(parts, { key, rule, item: previous });
      const slot = { id, rule, to: toId, previous, r: revisionAfter(previous, nowMs), before, now: before };
      slots.set(id, slot);
      return slot;
    },
    slots: () => [...slots.values()],
  };
}

function storedNow(
  parts: StoreParts,
  { key, rule, item }: { readonly key: ObjectKey; readonly rule: EdgeRule; readonly item: EdgeItem },
): EdgeNow | null {
  if (isDead(item)) return null;
  const { binding, data, timeMs } = storedEdge(key, rule, item);
  const open = async () => (data === null ? null : parts.content.open(binding, data));
  return { toId: item.to, timeMs, dataBytes: data?.plainBytes ?? 0, open };
}
