import { BatchBody, BatchOperation } from '#gateway/contract/data-api.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { Ask, BatchItem, BodySource, Call, Incoming, Mention } from '#gateway/pipeline/request.ts';
import { parseStrictJson } from '#gateway/pipeline/strict-json.ts';
import { type BatchRequest, readBatchOperation } from './batch-operation.ts';
import { jsonSlices } from './batch-slices.ts';
import type { CallOptions } from './headers.ts';

export interface BatchContext {
  readonly tenant: string;
  readonly options: CallOptions;
  /** What every operation shares with the request that carried it. */
  readonly caller: Pick<Incoming, 'address' | 'authorization'>;
  readonly nextId: () => string;
  readonly nowUs: () => number;
}

/** Reads a batch's body into its operations. One that does not fit is refused alone, when its turn comes. */
export function readBatch(bytes: Uint8Array, context: BatchContext): readonly BatchItem[] | Denial {
  const json = parseStrictJson(bytes);
  if (!json.ok) return deny('malformed_request', json.problem);
  const body = BatchBody.safeParse(json.value);
  if (!body.success) {
    return deny('malformed_request', 'The body of a batch is {"operations": […]} with 1 to 100 operations.');
  }
  const slices = mayHoldJson(json.text) ? jsonSlices(json.text) : [];
  return body.data.operations.map((raw, index) =>
    itemOf({ raw, index, json: slices[index] ?? null, request: readOne(raw, slices[index] ?? null, context) }, context),
  );
}

/** Whether a member may be called `json`, however its name is written: most batches read, and carry none. */
function mayHoldJson(text: string): boolean {
  return text.includes('"json"') || text.includes('\\');
}

function readOne(raw: unknown, json: string | null, { tenant }: BatchContext): BatchRequest | Denial {
  const operation = BatchOperation.safeParse(raw);
  if (operation.success) return readBatchOperation(operation.data, { tenant, json });
  const [issue] = operation.error.issues;
  const where = issue?.path.length ? ` at "${issue.path.join('.')}"` : '';
  return deny('malformed_request', `The operation does not fit${where}: ${issue?.message ?? 'see the API'}.`);
}

interface Read {
  readonly raw: unknown;
  readonly index: number;
  readonly json: string | null;
  readonly request: BatchRequest | Denial;
}

function itemOf({ index, request }: Read, context: BatchContext): BatchItem {
  const { caller, nextId, nowUs, options } = context;
  const ask = isDenial(request) ? null : request.ask;
  const requestId = nextId();
  return {
    lane: laneOf(ask, index),
    mayReadContent: ask !== null && (ask.operation === 'object.get' || ask.operation.startsWith('edge.')),
    toIncoming: (deadlineMs) => ({
      ...caller,
      requestId,
      arrivedUs: nowUs(),
      mention: mentionOf(ask, context.tenant),
      call: isDenial(request) ? request : callOf(request, { ...options, deadlineMs }, index),
      body: bodyOf(isDenial(request) ? null : request.body),
    }),
  };
}

function callOf(request: BatchRequest, options: CallOptions, index: number): Call {
  const { idempotencyKey } = options;
  return {
    ...options,
    ask: request.ask,
    idempotencyKey: idempotencyKey === null ? null : `${idempotencyKey}#${index}`,
    // What a repeated operation has to have the same, beside its body.
    fingerprint: idempotencyKey === null ? '' : JSON.stringify(['batch', request.ask]),
  };
}

/** An object that is still to be named has its partition for itself. */
function laneOf(ask: Ask | null, index: number): string {
  if (ask === null || ask.operation === 'object.create') return String(index);
  return JSON.stringify([ask.type, ask.id]);
}

function mentionOf(ask: Ask | null, tenant: string): Mention {
  if (ask === null) return { operation: null, tenant, type: null, id: null, edgeType: null, toId: null };
  return {
    operation: ask.operation,
    tenant,
    type: ask.type,
    id: 'id' in ask ? ask.id : null,
    edgeType: 'edgeType' in ask ? ask.edgeType : null,
    toId: 'toId' in ask ? ask.toId : null,
  };
}

function bodyOf(bytes: Uint8Array | null): BodySource {
  const body = bytes ?? new Uint8Array();
  return {
    announcedBytes: body.length,
    read: async (maxBytes) =>
      body.length > maxBytes ? deny('request_too_large', `This body has at most ${maxBytes} bytes.`) : body,
  };
}
