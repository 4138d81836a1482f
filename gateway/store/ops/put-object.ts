import { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { ObjectKey, PutPrecondition, StorePort } from '#gateway/pipeline/store-port.ts';
import { isDead, ObjectItem } from '#gateway/store/layout/items.ts';
import { OBJECT_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import type { Body } from '#gateway/store/write/guarded-batch.ts';
import { itemState } from '#gateway/store/write/item-state.ts';
import { type Plan, revisionAfter, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { objectBinding } from './get-object.ts';

const Outcome = z.object({ r: z.int(), created: z.boolean() });
type Outcome = z.infer<typeof Outcome>;

type Put = Parameters<StorePort['putObject']>[1];

/**
 * Creates or replaces an object, its previous state guarded. It does not touch the head: the tombstone of a delete whose
 * sweep goes on says so itself. Refuses with `version_conflict`, `already_exists`, `delete_in_progress`.
 */
export function createPutObject(parts: StoreParts): StorePort['putObject'] {
  return async (key, put, call) => {
    const pk = partitionKeyOf(key);
    const job: WriteJob<ObjectItem | null, Outcome> = {
      pk,
      outcome: Outcome,
      guess: put.precondition.ifMatch === null ? { state: null } : null,
      read: () => itemState(parts, { pk, id: OBJECT_ID, schema: ObjectItem }, call),
      plan: (previous, stamp) => planPut(parts, { key, put, previous }, stamp),
    };
    const result = await settle(parts, job, call);
    return isDenial(result) ? result : { kind: 'reply', value: result.outcome, session: result.session };
  };
}

/** What a put does, and what it meets. */
export interface PutOn {
  readonly key: ObjectKey;
  readonly put: Put;
  readonly previous: ObjectItem | null;
}

async function planPut(parts: StoreParts, on: PutOn, stamp: Stamp): Promise<Plan<Outcome> | Denial> {
  const { put, previous } = on;
  const refusal = unmetPrecondition(previous, put.precondition);
  if (refusal !== null) return refusal;
  const r = revisionAfter(previous, stamp.nowMs);
  const body = await liveObject(parts, on, { ...stamp, r });
  if (isDenial(body)) return body;
  const outcome = { r, created: previous === null || isDead(previous) };
  return { kind: 'write', items: [{ body, previous }], head: null, outboxes: [], outcome };
}

/** An object as stored, its content sealed to this state. */
export async function liveObject(
  parts: StoreParts,
  { key, put, previous }: PutOn,
  { r, w, nowMs }: Stamp & { readonly r: number },
): Promise<Body | Denial> {
  const content = await parts.content.seal(objectBinding(key, { r, timeMs: nowMs }), put.content, put.contentType);
  if (isDenial(content)) return content;
  const live = previous === null || isDead(previous) ? null : previous;
  const createdMs = live?.createdMs ?? nowMs;
  return { id: OBJECT_ID, pk: partitionKeyOf(key), type: key.type, r, w, timeMs: nowMs, createdMs, content };
}

/** Why a put may not happen on what is there, null when it may. */
export function unmetPrecondition(previous: ObjectItem | null, precondition: PutPrecondition): Denial | null {
  const { ifMatch, ifAbsent } = precondition;
  if (previous !== null && isDead(previous) && !previous.swept) {
    return deny('delete_in_progress', 'The object is being deleted with its edges.');
  }
  const live = previous === null || isDead(previous) ? null : previous;
  if (ifAbsent && live !== null) return deny('already_exists', 'The object exists.');
  return versionConflict(live, ifMatch);
}

/** A refusal when the caller named a version and the object has another or none. */
export function versionConflict(live: { readonly r: number } | null, ifMatch: number | null): Denial | null {
  if (ifMatch === null || live?.r === ifMatch) return null;
  return deny('version_conflict', live === null ? 'The object does not exist.' : 'The object has another version.');
}
