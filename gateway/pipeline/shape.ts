import { DEFAULT_LIST_LIMIT, EdgePutBody } from '#gateway/contract/data-api.ts';
import { MAX_OBJECT_BYTES } from '#gateway/contract/definitions/object-type.ts';
import { type ObjectId, utf8Bytes } from '#gateway/contract/ids.ts';
import type { Grant } from './authorize.ts';
import type { Misfit } from './content-check.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { EdgeTypeEntry } from './indexes.ts';
import type { BodySource, EdgeAsk, ObjectAsk, TimeBounds } from './request.ts';
import { edgeNamed } from './resolve.ts';
import type { EdgeRule, Idempotency, PutPrecondition } from './store-port.ts';
import { parseStrictJson } from './strict-json.ts';

/** An escaped character takes six bytes of JSON, so edge data of 4,096 bytes may come as 24 KB. */
const MAX_EDGE_BODY_BYTES = 32_768;

/** What the store is asked to do, bounded and complete. */
export type Work =
  | { readonly operation: 'object.get'; readonly ifNoneMatch: readonly string[] }
  | {
      readonly operation: 'object.put';
      readonly content: Uint8Array;
      readonly contentType: string;
      readonly precondition: PutPrecondition;
      readonly idempotency: Idempotency | null;
    }
  | {
      readonly operation: 'object.delete';
      readonly ifMatch: number | null;
      readonly idempotency: Idempotency | null;
    }
  | EdgeWork;

export type EdgeWork = { readonly rule: EdgeRule } & (
  | ({ readonly operation: 'edge.get'; readonly toIds: readonly ObjectId[]; readonly single: boolean } & TimeBounds)
  | {
      readonly operation: 'edge.put';
      readonly toId: ObjectId;
      readonly timeMs: number;
      readonly data: Uint8Array | null;
      readonly idempotency: Idempotency | null;
    }
  | { readonly operation: 'edge.delete'; readonly toId: ObjectId; readonly idempotency: Idempotency | null }
  | {
      readonly operation: 'edge.changeType';
      readonly toId: ObjectId;
      readonly to: { readonly rule: EdgeRule; readonly dataMaxBytes: number };
      readonly idempotency: Idempotency | null;
    }
  | { readonly operation: 'edge.count' }
  | ({
      readonly operation: 'edge.list';
      readonly limit: number;
      readonly limitClamped: boolean;
      /** Sort string of the last edge of the page before; null from the start. */
      readonly afterS: string | null;
      /** Edges to pass over for a single page; null when the list is walked by its cursor. */
      readonly pos: number | null;
      /** What a cursor of this list is bound to. */
      readonly scope: string;
    } & TimeBounds)
);

declare const shaped: unique symbol;
/** A grant with its bounded work. Only `shape` makes one. */
export interface Shaped {
  readonly [shaped]: true;
  readonly grant: Grant;
  readonly work: Work;
}

export interface CursorPort {
  /** Seals the sort string of the last edge of a page. `scope` is bound but not carried. */
  seal(s: string, scope: string): string;
  /** The sort string, or null when the cursor is not one of this fleet's for this list, or expired. */
  open(cursor: string, scope: string): string | null;
}

export interface ShapePorts {
  readonly cursors: CursorPort;
  sha256Hex(parts: readonly (string | Uint8Array)[]): string;
  readonly nowMs: number;
  /** Takes note of content that does not fit its type's schema, whether or not that refuses it. */
  noteMisfit(misfit: Misfit): void;
}

/**
 * Reads the body and bounds the work: sizes, limit, cursor. Costs the store nothing.
 * Refuses with `content_too_large`, `content_rejected`, `request_too_large`, `malformed_request`, `edge_type_mismatch`,
 * `invalid_cursor`, `deadline_exceeded`.
 */
export async function shape(grant: Grant, body: BodySource, ports: ShapePorts): Promise<Shaped | Denial> {
  const { ask } = grant.call;
  const work =
    'edgeType' in ask
      ? await shapeEdge(ask, { grant, edge: edgeNamed(grant, ask.edgeType), body, ports })
      : await shapeObject(ask, { grant, body, ports });
  return isDenial(work) ? work : ({ grant, work } as Shaped);
}

interface Context {
  readonly grant: Grant;
  readonly body: BodySource;
  readonly ports: ShapePorts;
}

async function shapeObject(ask: ObjectAsk, context: Context): Promise<Work | Denial> {
  switch (ask.operation) {
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
  const rejected = checkContent(content, context);
  if (rejected !== null) return rejected;
  const idempotency = idempotencyOf(context, content);
  return { operation: 'object.put', content, contentType, precondition: { ifMatch, ifAbsent }, idempotency };
}

async function readContent({ grant, body, ports }: Context): Promise<Uint8Array | Denial> {
  const { announcedBytes } = body;
  const { maxBytes, name } = grant.objectType;
  if (announcedBytes === null) {
    return deny('malformed_request', 'Send Content-Length; content may be empty but not of unknown length.');
  }
  if (announcedBytes > MAX_OBJECT_BYTES) {
    return deny(
      'request_too_large',
      `An object has at most ${MAX_OBJECT_BYTES} bytes; this one has ${announcedBytes}.`,
    );
  }
  if (announcedBytes > maxBytes) {
    return deny('content_too_large', `A ${name} has at most ${maxBytes} bytes; this one has ${announcedBytes}.`, {
      details: { maxBytes, bytes: announcedBytes },
    });
  }
  return body.read(maxBytes, ports.nowMs + grant.call.deadlineMs);
}

/** The content's bytes are only read: what is stored is what came. */
function checkContent(content: Uint8Array, { grant, ports }: Context): Denial | null {
  const { contentRule, name } = grant.objectType;
  const misfit = contentRule?.check(content) ?? null;
  if (contentRule === null || misfit === null) return null;
  ports.noteMisfit(misfit);
  if (contentRule.mode === 'warn') return null;
  const where = misfit.path === '' ? 'it' : misfit.path;
  const message = `The content does not fit the schema of ${name}: ${where} ${misfit.reason}.`;
  return deny('content_rejected', message, { details: { ...misfit } });
}

async function shapeEdge(ask: EdgeAsk, context: Context & { edge: EdgeTypeEntry }): Promise<EdgeWork | Denial> {
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
  const data = envelope.data === undefined ? null : new TextEncoder().encode(envelope.data);
  if (data !== null && data.length > edge.dataMaxBytes) {
    const message = `The data of ${edge.name} has at most ${edge.dataMaxBytes} bytes; this has ${data.length}.`;
    return deny('content_too_large', message, { details: { maxBytes: edge.dataMaxBytes, bytes: data.length } });
  }
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
  return deny(
    'malformed_request',
    `The body of an edge is {"time"?, "data"?}: ${issue?.message ?? 'it does not fit'}.`,
  );
}

function shapeChange(
  { toId, to }: Extract<EdgeAsk, { operation: 'edge.changeType' }>,
  context: Context & { edge: EdgeTypeEntry },
): EdgeWork | Denial {
  const { edge, grant } = context;
  const newEdge = edgeNamed(grant, to);
  const [was, is] = [edge.rule, newEdge.rule];
  if (edge === newEdge) return deny('malformed_request', `The edge is to become ${to}, the type it has.`);
  if (was.to !== is.to) {
    const message = `${edge.name} ends at ${was.to} and ${to} at ${is.to}; an edge keeps its ends.`;
    return deny('edge_type_mismatch', message, { details: { edgeType: edge.name, to, endsAt: [was.to, is.to] } });
  }
  if ((was.derivedFrom === null) !== (is.derivedFrom === null)) {
    const message = `One of ${edge.name} and ${to} is an inverse: they are written in different objects.`;
    return deny('edge_type_mismatch', message, { details: { edgeType: edge.name, to } });
  }
  const { dataMaxBytes } = newEdge;
  const idempotency = idempotencyOf(context, null);
  return { operation: 'edge.changeType', rule: was, toId, to: { rule: is, dataMaxBytes }, idempotency };
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

/** Keys of two principals never meet: the record is kept by principal and key. */
function idempotencyOf({ grant, ports }: Context, body: Uint8Array | null): Idempotency | null {
  const { idempotencyKey, fingerprint } = grant.call;
  if (idempotencyKey === null) return null;
  const requestSha256 = ports.sha256Hex([`${utf8Bytes(fingerprint)}:`, fingerprint, body ?? '']);
  return { principal: grant.key.principal.name, key: idempotencyKey, requestSha256 };
}
