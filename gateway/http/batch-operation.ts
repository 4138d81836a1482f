import type { BatchOperation } from '#gateway/contract/data-api.ts';
import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Ask, TimeBounds } from '#gateway/pipeline/request.ts';
import { readRevision } from './headers.ts';
import { type GivenContent, readConditions, readContent, readId } from './operation-fields.ts';

/** One operation of a batch as the request it stands for. */
export interface BatchRequest {
  readonly ask: Ask;
  readonly body: Uint8Array | null;
}

interface OperationContext {
  readonly tenant: string;
  /** Its member `json` exactly as written; null when it has none. */
  readonly json: string | null;
}

/** Refuses with `malformed_request`. */
export function readBatchOperation(operation: BatchOperation, context: OperationContext): BatchRequest | Denial {
  const body = bodyOf(operation, context.json);
  if (body !== null && 'code' in body) return body;
  const ask = askOf(operation, { tenant: context.tenant, contentType: body?.contentType ?? '' });
  if (isDenial(ask)) return ask;
  return { ask, body: body?.bytes ?? null };
}

function bodyOf(operation: BatchOperation, json: string | null): GivenContent | null | Denial {
  if (operation.op === 'edge.put') {
    const { time, data } = operation;
    return { bytes: Buffer.from(JSON.stringify({ time, data })), contentType: '' };
  }
  return operation.op === 'object.put' || operation.op === 'object.create' ? readContent(operation, json) : null;
}

interface AskContext {
  readonly tenant: string;
  readonly contentType: string;
}

function askOf(operation: BatchOperation, { tenant, contentType }: AskContext): Ask | Denial {
  if (operation.op === 'object.create') return { operation: operation.op, tenant, type: operation.type, contentType };
  const id = readId(operation.id);
  if (isDenial(id)) return id;
  const place = { tenant, type: operation.type, id };
  if ('edgeType' in operation) return edgeAskOf(operation, place);
  switch (operation.op) {
    case 'object.get':
      return { ...place, operation: operation.op, ifNoneMatch: operation.ifNoneMatch ?? [] };
    case 'object.delete': {
      const ifMatch = readRevision(operation.ifMatch);
      return isDenial(ifMatch) ? ifMatch : { ...place, operation: operation.op, ifMatch };
    }
    case 'object.put': {
      const conditions = readConditions(operation);
      return isDenial(conditions) ? conditions : { ...place, operation: operation.op, contentType, ...conditions };
    }
  }
}

type EdgeOperation = Extract<BatchOperation, { readonly edgeType: string }>;

function edgeAskOf(
  operation: EdgeOperation,
  place: { readonly tenant: string; readonly type: string; readonly id: ObjectId },
): Ask | Denial {
  const from = { ...place, edgeType: operation.edgeType };
  switch (operation.op) {
    case 'edge.count':
      return { ...from, operation: operation.op };
    case 'edge.list': {
      const { limit = null, cursor = null, pos = null } = operation;
      return { ...from, operation: operation.op, limit, cursor, pos, ...boundsOf(operation) };
    }
    case 'edge.get': {
      const toIds: ObjectId[] = [];
      for (const text of new Set(operation.toIds)) {
        const toId = readId(text);
        if (isDenial(toId)) return toId;
        toIds.push(toId);
      }
      return { ...from, operation: operation.op, toIds, single: false, ...boundsOf(operation) };
    }
    case 'edge.changeType': {
      const toId = readId(operation.toId);
      return isDenial(toId) ? toId : { ...from, operation: operation.op, toId, to: operation.to };
    }
    case 'edge.put':
    case 'edge.delete': {
      const toId = readId(operation.toId);
      return isDenial(toId) ? toId : { ...from, operation: operation.op, toId };
    }
  }
}

function boundsOf(operation: {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}): TimeBounds {
  return { afterMs: operation.after ?? null, beforeMs: operation.before ?? null };
}
