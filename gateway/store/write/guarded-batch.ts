import type { JSONObject, OperationInput, PatchOperation } from '@azure/cosmos';
import { type HeadItem, storedBytes } from '#gateway/store/layout/items.ts';
import { HEAD_ID, OBJECT_ID } from '#gateway/store/layout/keys.ts';
import { conditionOf, type HeadWrite } from './head.ts';

/** JSON of an item, without the fields that Cosmos adds. */
export type Body = Readonly<Record<string, unknown>> & { readonly id: string };

/** Which part of a batch an operation is; a rolled-back batch names the one that failed. */
export type Role = 'record' | 'item' | 'head' | 'outbox';

/** Created when nothing was there, else replaced if that is still what was read. */
export interface GuardedItem {
  readonly body: Body;
  readonly previous: { readonly _etag: string } | null;
}

/** One write of one partition: at least one operation is a create or has an If-Match, so at most one copy commits. */
export interface GuardedBatch {
  readonly pk: string;
  readonly w: string;
  readonly record: Body | null;
  readonly items: readonly GuardedItem[];
  readonly head: HeadWrite | null;
  readonly outboxes: readonly Body[];
}

/** What was learnt on the way; neither changes what the batch means nor which of its copies can commit. */
export interface Variant {
  headIsMissing: boolean;
  /** Etag of an expired idempotency record that is to be replaced. */
  recordEtag: string | null;
}

export interface Step {
  readonly role: Role;
  readonly operation: OperationInput;
  /** Id of what it writes. */
  readonly id: string;
}

/** The operations in their fixed order: record, items, head, outboxes. */
export function stepsOf(batch: GuardedBatch, variant: Variant): Step[] {
  const steps: Step[] = [];
  const { record, items, head, outboxes } = batch;
  if (record !== null) steps.push({ role: 'record', id: record.id, operation: put(record, variant.recordEtag) });
  for (const { body, previous } of items) {
    steps.push({ role: 'item', id: body.id, operation: put(body, previous?._etag ?? null) });
  }
  if (head !== null) steps.push({ role: 'head', id: HEAD_ID, operation: headOperation(batch, head, variant) });
  for (const body of outboxes) steps.push({ role: 'outbox', id: body.id, operation: put(body, null) });
  return steps;
}

/** Replaces an item whatever its state is. */
export function replace(body: Body): Extract<OperationInput, { operationType: 'Replace' }> {
  return { operationType: 'Replace', id: body.id, resourceBody: jsonOf(body) };
}

function put(body: Body, etag: string | null): OperationInput {
  if (etag === null) return { operationType: 'Create', resourceBody: jsonOf(body) };
  return { ...replace(body), ifMatch: etag };
}

/** Bodies are plain JSON by construction; the SDK's type wants an index signature of its own. */
function jsonOf(body: Body): JSONObject {
  return body as JSONObject;
}

function headOperation(batch: GuardedBatch, head: HeadWrite, variant: Variant): OperationInput {
  const { pk } = batch;
  const bytes = growthOf(batch);
  if (head.kind === 'replace') {
    const { previous, state, n } = head;
    const kept = previous?.closings === undefined ? {} : { closings: previous.closings };
    return put(headBody(pk, { state, n, bytes: (previous?.bytes ?? 0) + bytes, ...kept }), previous?._etag ?? null);
  }
  if (head.kind === 'close') {
    // Made closed: a first edge that races with it conflicts, whichever of the two comes first.
    if (variant.headIsMissing) return put(headBody(pk, { state: 'closing', n: {}, bytes, closings: 1 }), null);
    const operations: PatchOperation[] = [
      { op: 'set', path: '/state', value: 'closing' },
      { op: 'incr', path: '/bytes', value: bytes },
      { op: 'incr', path: '/closings', value: 1 },
    ];
    return { operationType: 'Patch', id: HEAD_ID, resourceBody: { operations } };
  }
  const { counts } = head;
  if (variant.headIsMissing) {
    const n = Object.fromEntries(counts.map(({ edgeType, delta }) => [edgeType, Math.max(0, delta)]));
    return put(headBody(pk, { state: 'open', n, bytes }), null);
  }
  const operations: PatchOperation[] = [{ op: 'incr', path: '/bytes', value: bytes }];
  for (const { edgeType, delta } of counts) {
    if (delta !== 0) operations.push({ op: 'incr', path: `/n/${edgeType}`, value: delta });
  }
  const condition = conditionOf(head);
  const resourceBody = condition === undefined ? { operations } : { operations, condition };
  return { operationType: 'Patch', id: HEAD_ID, resourceBody };
}

/**
 * By how many bytes a batch makes its partition grow. The object itself is not counted, since its puts do not touch the
 * head: one item of at most 2 MB.
 */
function growthOf({ record, items, outboxes }: GuardedBatch): number {
  let bytes = record === null ? 0 : storedBytes(record);
  for (const { body, previous } of items) {
    if (body.id === OBJECT_ID) continue;
    bytes += storedBytes(body) - (previous === null ? 0 : storedBytes(previous));
  }
  for (const body of outboxes) bytes += storedBytes(body);
  return bytes;
}

function headBody(pk: string, head: Omit<HeadItem, '_etag'>): Body {
  return { id: HEAD_ID, pk, ...head, bytes: Math.max(0, head.bytes) };
}
