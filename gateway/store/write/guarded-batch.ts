import type { JSONObject, OperationInput, PatchOperation } from '@azure/cosmos';
import { HEAD_ID } from '#gateway/store/layout/keys.ts';
import { conditionOf, type HeadWrite } from './head.ts';

/** JSON of an item, without the fields that Cosmos adds. */
export type Body = Readonly<Record<string, unknown>> & { readonly id: string };

/** Which part of a batch an operation is; a rolled-back batch names the one that failed. */
export type Role = 'record' | 'item' | 'head' | 'outbox';

/** One write of one partition: at least one operation is a create or has an If-Match, so at most one copy commits. */
export interface GuardedBatch {
  readonly pk: string;
  readonly w: string;
  readonly record: Body | null;
  /** Created when `etag` is null, else replaced under If-Match. */
  readonly item: { readonly body: Body; readonly etag: string | null } | null;
  readonly head: HeadWrite | null;
  readonly outbox: Body | null;
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
}

/** The operations in their fixed order: record, item, head, outbox. */
export function stepsOf(batch: GuardedBatch, variant: Variant): Step[] {
  const steps: Step[] = [];
  if (batch.record !== null) steps.push({ role: 'record', operation: put(batch.record, variant.recordEtag) });
  if (batch.item !== null) steps.push({ role: 'item', operation: put(batch.item.body, batch.item.etag) });
  if (batch.head !== null) steps.push({ role: 'head', operation: headOperation(batch.pk, batch.head, variant) });
  if (batch.outbox !== null) steps.push({ role: 'outbox', operation: put(batch.outbox, null) });
  return steps;
}

function put(body: Body, etag: string | null): OperationInput {
  // Bodies are plain JSON by construction; the SDK's type wants an index signature of its own.
  const resourceBody = body as JSONObject;
  if (etag === null) return { operationType: 'Create', resourceBody };
  return { operationType: 'Replace', id: body.id, ifMatch: etag, resourceBody };
}

function headOperation(pk: string, head: HeadWrite, variant: Variant): OperationInput {
  if (head.kind === 'guard')
    return head.etag === null ? createHead(pk, {}, head.bytes) : guardHead(head.etag, head.bytes);
  const { edgeType, delta, bytes } = head;
  if (variant.headIsMissing) return createHead(pk, { [edgeType]: Math.max(0, delta) }, bytes);
  const operations: PatchOperation[] = [{ op: 'incr', path: '/bytes', value: bytes }];
  if (delta !== 0) operations.push({ op: 'incr', path: `/n/${edgeType}`, value: delta });
  const condition = conditionOf(edgeType, head.demands);
  const resourceBody = condition === undefined ? { operations } : { operations, condition };
  return { operationType: 'Patch', id: HEAD_ID, resourceBody };
}

function createHead(pk: string, n: Record<string, number>, bytes: number): OperationInput {
  const resourceBody = { id: HEAD_ID, pk, state: 'open', n, bytes: Math.max(0, bytes) };
  return { operationType: 'Create', resourceBody };
}

function guardHead(etag: string, bytes: number): OperationInput {
  const resourceBody = { operations: [{ op: 'incr' as const, path: '/bytes', value: bytes }] };
  return { operationType: 'Patch', id: HEAD_ID, ifMatch: etag, resourceBody };
}
