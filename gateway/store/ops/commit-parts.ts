import { z } from 'zod';
import { MAX_COMMIT_BYTES } from '#gateway/contract/data-api.ts';
import { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type {
  CommitOutcome,
  CommitPart,
  ObjectKey,
  StoreAnswer,
  StorePort,
  WriteCall,
} from '#gateway/pipeline/store-port.ts';
import { type EdgeItem, storedBytes } from '#gateway/store/layout/items.ts';
import { partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import type { Body, GuardedItem } from '#gateway/store/write/guarded-batch.ts';
import { type Plan, revisionAfter, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { applyInverses, type LiveForward } from './apply-inverse.ts';
import { applyParts } from './apply-parts.ts';
import { headOf, outboxesOfDraft } from './draft-effects.ts';
import { deadEdge, liveEdge } from './edge-bodies.ts';
import { type EdgeSlot, type Found, openDraft, readFound } from './partition-draft.ts';
import { liveObject, type PutOn } from './put-object.ts';

const r = z.int();
const Outcomes = z.array(
  z.discriminatedUnion('operation', [
    z.object({ operation: z.literal('object.put'), r, created: z.boolean() }),
    z.object({ operation: z.literal('edge.put'), toId: ObjectId, r, timeMs: z.int(), created: z.boolean() }),
    z.object({ operation: z.literal('edge.delete'), toId: ObjectId, deleted: z.boolean() }),
    z.object({
      ...{ operation: z.literal('edge.changeType'), toId: ObjectId, edgeType: EdgeTypeName },
      ...{ r, timeMs: z.int(), replaced: z.boolean() },
    }),
  ]),
);

type Outcome = readonly CommitOutcome[];

/**
 * Several writes of one object and its edges, all or none: one critical query reads every item that is named, the parts are
 * applied in order in memory, and one batch writes each of those items under its guard, also what came out as it was: so
 * what was read still holds when it commits. Intermediate states never exist, and each item gets one revision.
 */
export async function commitParts(parts: StoreParts, named: Named, call: WriteCall): StoreAnswer<Outcome> {
  const pk = partitionKeyOf(named.key);
  let live: readonly LiveForward[] = [];
  const job: WriteJob<Found, Outcome> = {
    pk,
    outcome: Outcomes,
    guess: null,
    read: () => readFound(parts, named, call),
    plan: async (found, stamp) => {
      const planned = await planCommit(parts, { ...named, found }, stamp);
      if (isDenial(planned)) return planned;
      live = planned.live;
      return planned.plan;
    },
  };
  const result = await settle(parts, job, call);
  if (isDenial(result)) return result;
  const { outcome, written, session } = result;
  const applied = await applyInverses(parts, { pk, written, live }, call);
  return { kind: 'reply', value: outcome, session: mergeSessions(session, applied) };
}

export function createCommit(parts: StoreParts): StorePort['commit'] {
  return (key, steps, call) => commitParts(parts, { key, steps }, call);
}

interface Named {
  readonly key: ObjectKey;
  readonly steps: readonly CommitPart[];
}

interface Committing extends Named {
  readonly found: Found;
}

interface Planned {
  readonly plan: Plan<Outcome>;
  readonly live: readonly LiveForward[];
}

async function planCommit(parts: StoreParts, on: Committing, stamp: Stamp): Promise<Planned | Denial> {
  const { key, steps, found } = on;
  const { nowMs } = stamp;
  const draft = openDraft(parts, { key, found, nowMs });
  const outcome = applyParts(steps, { draft, object: found.object, nowMs });
  if (isDenial(outcome)) return outcome;
  const slots = draft.slots();
  const put = steps.find((step) => step.operation === 'object.put');
  if (put === undefined && slots.every(({ now, before }) => now === before)) {
    return { plan: { kind: 'nothing', outcome }, live: [] };
  }
  const head = headOf(slots, found.head);
  if (isDenial(head)) return head;
  const objects = put === undefined ? [] : await objectOf(parts, { key, put, previous: found.object }, stamp);
  if (isDenial(objects)) return objects;
  const edges: EdgeWritten[] = [];
  for (const slot of slots) {
    const edge = await edgeOf(parts, { key, slot }, stamp);
    if (isDenial(edge)) return edge;
    edges.push(edge);
  }
  const items = [...objects, ...edges.map(({ item }) => item)];
  const outboxes = outboxesOfDraft(key, slots, nowMs);
  const tooLarge = beyondSize([...items.map(({ body }) => body), ...outboxes]);
  if (tooLarge !== null) return tooLarge;
  const live = edges.flatMap((edge) => edge.live ?? []);
  return { plan: { kind: 'write', items, head, outboxes, outcome }, live };
}

async function objectOf(parts: StoreParts, on: PutOn, stamp: Stamp): Promise<readonly GuardedItem[] | Denial> {
  const { previous } = on;
  const body = await liveObject(parts, on, { ...stamp, r: revisionAfter(previous, stamp.nowMs) });
  return isDenial(body) ? body : [{ body, previous }];
}

interface EdgeWritten {
  readonly item: GuardedItem;
  readonly live: LiveForward | null;
}

/** An edge as the commit leaves it. One that it did not change keeps its revision: it is written for its guard alone. */
async function edgeOf(
  parts: StoreParts,
  { key, slot }: { readonly key: ObjectKey; readonly slot: EdgeSlot },
  { w, nowMs }: Stamp,
): Promise<EdgeWritten | Denial> {
  const { id, rule, to, previous, now, before } = slot;
  if (now === before && previous !== null) return { item: { body: sameEdge(previous, w), previous }, live: null };
  const { tenant } = key;
  const at = { tenant, pk: partitionKeyOf(key), id, type: rule.edgeType };
  if (now === null) {
    const body = deadEdge({ ...at, to: previous?.to ?? to }, { r: slot.r, w, nowMs });
    return { item: { body, previous }, live: null };
  }
  const { toId, timeMs } = now;
  const data = await now.open();
  if (isDenial(data)) return data;
  const body = await liveEdge(parts, { ...at, to: toId }, { r: slot.r, w, timeMs, data });
  if (isDenial(body)) return body;
  return { item: { body, previous }, live: { edgeType: rule.edgeType, toId, timeMs, data } };
}

function sameEdge(previous: EdgeItem, w: string): Body {
  const { _etag, ...body } = previous;
  return { ...body, w };
}

/** Cosmos takes 2 MB a batch; what its own format adds to an operation is far below what is left. */
function beyondSize(bodies: readonly object[]): Denial | null {
  const bytes = bodies.reduce((sum, body) => sum + storedBytes(body), 0);
  if (bytes <= MAX_COMMIT_BYTES) return null;
  const message = `The commit writes ${bytes} bytes as they are stored; one takes at most ${MAX_COMMIT_BYTES}.`;
  return deny('request_too_large', message, { details: { bytes, maxBytes: MAX_COMMIT_BYTES } });
}
