import { DEFAULT_LIST_LIMIT, EdgePutBody } from '#gateway/contract/data-api.ts';
import { MAX_OBJECT_BYTES } from '#gateway/contract/definitions/object-type.ts';
import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Grant } from './authorize.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { EdgeTypeEntry } from './indexes.ts';
import type { BodySource, CommitAsk, EdgeAsk, ObjectAsk } from './request.ts';
import { edgeNamed } from './resolve.ts';
import { changeRefused, contentRejected, contentTooLarge, edgeData, idempotencyOf } from './shape-checks.ts';
import { shapeCommit } from './shape-commit.ts';
import type { PutPrecondition } from './store-port.ts';
import { parseStrictJson } from './strict-json.ts';
import type { EdgeWork, Shaped, ShapePorts, Work } from './work.ts';

/** An escaped character takes six bytes of JSON, so edge data of 4,096 bytes may come as 24 KB. */
const MAX_EDGE_BODY_BYTES = 32_768;

/**
 * Reads the body and bounds the work: sizes, limit, cursor. Costs the store nothing.
 * Refuses with `content_too_large`, `content_rejected`, `request_too_large`, `malformed_request`, `edge_type_mismatch`,
 * `invalid_cursor`, `deadline_exceeded`.
 */
export function shape(grant: Grant, body: BodySource, ports: ShapePorts): Shaped | Denial | Promise<Shaped | Denial> {
  const { ask } = grant.call;
  const work =
    'edgeType' in ask
      ? shapeEdge(ask, { grant, edge: edgeNamed(grant, ask.edgeType), body, ports })
      : shapeObject(ask, { grant, body, ports });
  return work instanceof Promise ? work.then((read) => shaped(grant, read)) : shaped(grant, work);
}

function shaped(grant: Grant, work: Work | Denial): Shaped | Denial {
  return isDenial(work) ? work : ({ grant, work } as Shaped);
}

interface Context {
  readonly grant: Grant;
  readonly body: BodySource;
  readonly ports: ShapePorts;
}

function shapeObject(ask: ObjectAsk | CommitAsk, context: Context): Work | Denial | Promise<Work | Denial> {
  switch (ask.operation) {
    case 'commit':
      return shapeCommit(ask, context);
    case 'object.get':
      return { operation: ask.operation, ifNoneMatch: ask.ifNoneMatch };
    case 'object.delete':
      return { operation: ask.operation, ifMatch: ask.ifMatch, idempotency: idempotencyOf(context, null) };
    case 'object.create':
      return shapePut({ ...ask, ifMatch: null, ifAbsent: true }, context);
    case 'object.put':
      return shapePut(ask, context);
  }
}

interface Putting extends PutPrecondition {
  readonly contentType: string;
}

async function shapePut({ contentType, ifMatch, ifAbsent }: Putting, context: Context): Promise<Work | Denial> {
  const content = await readContent(context);
  if (isDenial(content)) return content;
  const rejected = contentRejected(content, context);
  if (rejected !== null) return rejected;
  const idempotency = idempotencyOf(context, content);
  return { operation: 'object.put', content, contentType, precondition: { ifMatch, ifAbsent }, idempotency };
}

async function readContent({ grant, body, ports }: Context): Promise<Uint8Array | Denial> {
  const { announcedBytes } = body;
  if (announcedBytes === null) {
    return deny('malformed_request', 'Send Content-Length; content may be empty but not of unknown length.');
  }
  if (announcedBytes > MAX_OBJECT_BYTES) {
    return deny(
      'request_too_large',
      `An object has at most ${MAX_OBJECT_BYTES} bytes; this one has ${announcedBytes}.`,
    );
  }
  const tooLarge = contentTooLarge(announcedBytes, { grant });
  return tooLarge ?? body.read(grant.objectType.maxBytes, ports.nowMs + grant.call.deadlineMs);
}

function shapeEdge(
  ask: EdgeAsk,
  context: Context & { edge: EdgeTypeEntry },
): EdgeWork | Denial | Promise<EdgeWork | Denial> {
  const { rule } = context.edge;
  switch (ask.operation) {
    case 'edge.get': {
      const { operation, toIds, single, afterMs, beforeMs } = ask;
      return { operation, rule, toIds, single, afterMs, beforeMs };
    }
    case 'edge.count':
      return { operation: ask.operation, rule };
    case 'edge.delete':
      return { operation: ask.operation, rule, toId: ask.toId, idempotency: idempotencyOf(context, null) };
    case 'edge.list':
      return shapeList(ask, context);
    case 'edge.changeType':
      return shapeChange(ask, context);
    case 'edge.put':
      return shapeEdgePut(ask.toId, context);
  }
}

async function shapeEdgePut(toId: ObjectId, context: Context & { edge: EdgeTypeEntry }): Promise<EdgeWork | Denial> {
  const { body, edge, grant, ports } = context;
  const deadlineAtMs = ports.nowMs + grant.call.deadlineMs;
  const raw = await body.read(MAX_EDGE_BODY_BYTES, deadlineAtMs);
  if (isDenial(raw)) return raw;
  const envelope = parseEnvelope(raw);
  if ('code' in envelope) return envelope;
  const data = edgeData(envelope.data, edge);
  if (isDenial(data)) return data;
  return {
    operation: 'edge.put',
    rule: edge.rule,
    toId,
    timeMs: envelope.time ?? ports.nowMs,
    data,
    idempotency: idempotencyOf(context, raw),
  };
}

function parseEnvelope(raw: Uint8Array): { time?: number | undefined; data?: string | undefined } | Denial {
  if (raw.length === 0) return {};
  const json = parseStrictJson(raw);
  if (!json.ok) return deny('malformed_request', json.problem);
  const body = EdgePutBody.safeParse(json.value);
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  const problem = issue?.message ?? 'it does not fit';
  return deny('malformed_request', `The body of an edge is {"time"?, "data"?}: ${problem}.`);
}

function shapeChange(
  { toId, to }: Extract<EdgeAsk, { operation: 'edge.changeType' }>,
  context: Context & { edge: EdgeTypeEntry },
): EdgeWork | Denial {
  const { edge, grant } = context;
  const newEdge = edgeNamed(grant, to);
  const refusal = changeRefused(edge, newEdge);
  if (refusal !== null) return refusal;
  const { rule, dataMaxBytes } = newEdge;
  const idempotency = idempotencyOf(context, null);
  return { operation: 'edge.changeType', rule: edge.rule, toId, to: { rule, dataMaxBytes }, idempotency };
}

function shapeList(
  ask: Extract<EdgeAsk, { operation: 'edge.list' }>,
  { edge, grant, ports }: Context & { edge: EdgeTypeEntry },
): EdgeWork | Denial {
  const { afterMs, beforeMs, cursor, pos } = ask;
  if (pos !== null && cursor !== null) return deny('malformed_request', '"pos" and "cursor" exclude each other.');
  const { tenant, type, id } = grant.object;
  const scope = JSON.stringify([tenant, type, id, edge.name, afterMs, beforeMs]);
  const afterS = cursor === null ? null : ports.cursors.open(cursor, scope);
  if (cursor !== null && afterS === null) {
    return deny('invalid_cursor', 'The cursor expired, or belongs to another list.');
  }
  const limitClamped = ask.limit !== null && ask.limit > edge.listCap;
  const limit = Math.min(ask.limit ?? DEFAULT_LIST_LIMIT, edge.listCap);
  return { operation: ask.operation, rule: edge.rule, limit, limitClamped, afterS, pos, scope, afterMs, beforeMs };
}
