import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HEADERS_IN, MAX_EDGE_IDS, MAX_LIST_LIMIT, MAX_LIST_POS, MAX_TIME_MS } from '#gateway/contract/data-api.ts';
import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { Ask, BatchAsk, BatchResult, BodyAsk, Call, Incoming, TimeBounds } from '#gateway/pipeline/request.ts';
import type { Sessions } from '#gateway/sealed/session.ts';
import { bodyOf } from './body.ts';
import { changeAsk, commitAsk } from './body-asks.ts';
import { type CallOptions, headerOf, readCallOptions, readIfNoneMatch, readPreconditions } from './headers.ts';
import { readId } from './operation-fields.ts';
import { type ApiPath, type ItemPath, mentionOf, readPath } from './path.ts';
import { readInteger, readQuery } from './query.ts';
import { type BatchContext, readBatch } from './read-batch.ts';
import { writeBatch } from './write-batch.ts';

const OPERATION_OF: Readonly<Record<string, Operation>> = {
  'GET object': 'object.get',
  'PUT object': 'object.put',
  'POST objects': 'object.create',
  'POST batch': 'batch',
  'POST commit': 'commit',
  'DELETE object': 'object.delete',
  'GET edge': 'edge.get',
  'PUT edge': 'edge.put',
  'DELETE edge': 'edge.delete',
  'POST change': 'edge.changeType',
  'GET count': 'edge.count',
};

type EdgesPath = Extract<ItemPath, { readonly shape: 'edges' | 'count' }>;

const DEFAULT_CONTENT_TYPE = 'application/octet-stream';
const MAX_CONTENT_TYPE = 255;

export interface ReadContext {
  readonly sessions: Sessions;
  readonly requestId: string;
  readonly arrivedUs: number;
  readonly nowMs: () => number;
  readonly nowUs: () => number;
  readonly nextId: () => string;
  readonly consoleUrl: string;
}

/** Bytes to a typed request. What is wrong with it is a value, refused once the caller is known. */
export function readRequest(message: IncomingMessage, context: ReadContext): Incoming {
  const target = message.url ?? '/';
  const cut = target.indexOf('?');
  const path = cut < 0 ? target : target.slice(0, cut);
  const query = cut < 0 ? '' : target.slice(cut + 1);
  const caller = {
    address: message.socket.remoteAddress ?? '',
    authorization: headerOf(message.headers, HEADERS_IN.authorization),
  };
  const place = readPath(path, message.method);
  const operation = isDenial(place) ? null : operationOf(message.method, place, query);
  const call = isDenial(place) ? place : readCall({ message, place, operation, query, target, caller }, context);
  return {
    requestId: context.requestId,
    arrivedUs: context.arrivedUs,
    ...caller,
    mention: { ...mentionOf(place, path, message.method), operation },
    call,
    body: bodyOf(message, context.nowMs),
  };
}

interface Parts {
  readonly message: IncomingMessage;
  readonly place: ApiPath;
  /** Null when the method does nothing there. */
  readonly operation: Operation | null;
  readonly query: string;
  readonly target: string;
  readonly caller: BatchContext['caller'];
}

function readCall(parts: Parts, context: ReadContext): Incoming['call'] {
  const { place, operation, query, target } = parts;
  const { headers, method } = parts.message;
  if (operation === null) return noSuchMethod(method, place);
  const options = readCallOptions(headers, context.sessions);
  if (isDenial(options)) return options;
  if (place.shape === 'batch') return readBatchCall(parts, { tenant: place.tenant, options, ...context });
  const ask = readAsk(operation, place, { headers, query });
  if (isDenial(ask)) return ask;
  const rest = { ...options, fingerprint: options.idempotencyKey === null ? '' : fingerprintOf(parts.message, target) };
  // Said twice, since each branch has a type of its own.
  return ask.operation === 'body' ? { ask, ...rest } : { ask, ...rest };
}

/** What a repeated request has to have the same, beside its body. */
function fingerprintOf({ method, headers }: IncomingMessage, target: string): string {
  const conditions = [HEADERS_IN.ifMatch, HEADERS_IN.ifNoneMatch].map((name) => headerOf(headers, name));
  return JSON.stringify([method, target, ...conditions, headerOf(headers, 'content-type')]);
}

interface BatchPlace extends ReadContext {
  readonly tenant: string;
  readonly options: CallOptions;
}

function readBatchCall({ query, caller }: Parts, place: BatchPlace): Call<BatchAsk> | Denial {
  const parameters = readQuery(query, []);
  if (isDenial(parameters)) return parameters;
  const { tenant, options, consoleUrl } = place;
  const format = {
    read: (bytes: Uint8Array) => readBatch(bytes, { ...place, caller }),
    write: (results: readonly BatchResult[]) => writeBatch(results, consoleUrl),
  };
  return { ...options, ask: { operation: 'batch', tenant, format }, fingerprint: '' };
}

function operationOf(method: string | undefined, place: ApiPath, query: string): Operation | null {
  if (place.shape !== 'edges') return OPERATION_OF[`${method} ${place.shape}`] ?? null;
  if (method !== 'GET') return null;
  return /(?:^|&)id=/.test(query) ? 'edge.get' : 'edge.list';
}

function noSuchMethod(method: string | undefined, place: ApiPath): Denial {
  if (place.shape === 'batch') return deny('unsupported_operation', 'A batch is sent by POST.');
  if (place.shape === 'objects') {
    return deny(
      'unsupported_operation',
      'Objects of a type cannot be listed. Keep an object whose edges lead to them, and list those edges. POST creates one.',
    );
  }
  const what = method === 'POST' ? 'POST creates an object when the path ends at its type; PUT writes one by id.' : '';
  const takes = {
    object: 'An object takes GET, PUT, DELETE, and POST with :commit after it.',
    commit: 'A commit is sent by POST.',
    edge: 'An edge takes GET, PUT, DELETE, and POST with :changeType after it.',
    change: 'The type of an edge is changed by POST.',
    edges: 'Edges of an object take GET; put or delete one edge by its target id.',
    count: 'A count takes GET.',
  }[place.shape];
  return deny('unsupported_operation', `${what} ${takes}`.trim());
}

interface Rest {
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
}

function readAsk(
  operation: Operation,
  place: Exclude<ApiPath, { readonly shape: 'batch' }>,
  { headers, query }: Rest,
): Ask | BodyAsk | Denial {
  if (place.shape === 'edges') return readEdgesAsk(operation === 'edge.get' ? operation : 'edge.list', place, query);
  const parameters = readQuery(query, []);
  if (isDenial(parameters)) return parameters;
  if (place.shape === 'objects') return readCreateAsk(place, headers);
  const { tenant, type, id } = place;
  if (place.shape === 'object') return readObjectAsk(operation, { tenant, type, id }, headers);
  const conditional = [HEADERS_IN.ifMatch, HEADERS_IN.ifNoneMatch].find((name) => headers[name] !== undefined);
  if (conditional !== undefined) {
    return deny('malformed_request', 'Edges and commits take no If-Match and no If-None-Match.');
  }
  if (place.shape === 'commit') return commitAsk({ tenant, type, id });
  const edge = { tenant, type, id, edgeType: place.edgeType };
  if (place.shape === 'count') return { ...edge, operation: 'edge.count' };
  if (place.shape === 'change') return changeAsk({ ...edge, toId: place.toId });
  if (place.shape !== 'edge') return deny('internal', `No such shape: ${place.shape}.`);
  const { toId } = place;
  if (operation === 'edge.put' || operation === 'edge.delete') return { ...edge, operation, toId };
  return { ...edge, operation: 'edge.get', toIds: [toId], single: true, afterMs: null, beforeMs: null };
}

function readCreateAsk(
  { tenant, type }: Pick<ItemPath, 'tenant' | 'type'>,
  headers: IncomingHttpHeaders,
): Ask | Denial {
  const conditional = [HEADERS_IN.ifMatch, HEADERS_IN.ifNoneMatch].find((name) => headers[name] !== undefined);
  if (conditional !== undefined) {
    return deny('malformed_request', 'A new object takes no If-Match and no If-None-Match.');
  }
  const contentType = readContentType(headers);
  return isDenial(contentType)
    ? contentType
    : { operation: 'object.create', tenant, type, contentType: contentType.text };
}

function readContentType(headers: IncomingHttpHeaders): { readonly text: string } | Denial {
  const text = headerOf(headers, 'content-type') ?? DEFAULT_CONTENT_TYPE;
  if (text.length > MAX_CONTENT_TYPE) return deny('malformed_request', 'Content-Type has at most 255 characters.');
  return { text };
}

function readObjectAsk(
  operation: Operation,
  place: Pick<ItemPath, 'tenant' | 'type' | 'id'>,
  headers: IncomingHttpHeaders,
): Ask | Denial {
  if (operation === 'object.get') return { ...place, operation, ifNoneMatch: readIfNoneMatch(headers) };
  const preconditions = readPreconditions(headers);
  if (isDenial(preconditions)) return preconditions;
  const { ifMatch, ifAbsent } = preconditions;
  if (operation === 'object.put') {
    const contentType = readContentType(headers);
    if (isDenial(contentType)) return contentType;
    return { ...place, operation, contentType: contentType.text, ifMatch, ifAbsent };
  }
  if (ifAbsent) return deny('malformed_request', 'If-None-Match makes no sense on a delete.');
  return { ...place, operation: 'object.delete', ifMatch };
}

function readEdgesAsk(operation: 'edge.list' | 'edge.get', place: EdgesPath, query: string): Ask | Denial {
  const known = operation === 'edge.get' ? ['id', 'after', 'before'] : ['limit', 'cursor', 'pos', 'after', 'before'];
  const parameters = readQuery(query, known);
  if (isDenial(parameters)) return parameters;
  const bounds = readBounds(parameters);
  if (isDenial(bounds)) return bounds;
  const { tenant, type, id } = place;
  const from = { tenant, type, id, edgeType: place.edgeType, ...bounds };
  if (operation === 'edge.list') {
    const limit = readInteger(parameters, 'limit', { min: 1, max: MAX_LIST_LIMIT });
    if (isDenial(limit)) return limit;
    const pos = readInteger(parameters, 'pos', { min: 0, max: MAX_LIST_POS });
    if (isDenial(pos)) return pos;
    return { ...from, operation, limit, pos, cursor: parameters.get('cursor')?.[0] ?? null };
  }
  const toIds = readIds(parameters.get('id') ?? []);
  return isDenial(toIds) ? toIds : { ...from, operation, toIds, single: false };
}

function readBounds(parameters: ReadonlyMap<string, readonly string[]>): TimeBounds | Denial {
  const afterMs = readInteger(parameters, 'after', { min: 0, max: MAX_TIME_MS });
  if (isDenial(afterMs)) return afterMs;
  const beforeMs = readInteger(parameters, 'before', { min: 0, max: MAX_TIME_MS });
  return isDenial(beforeMs) ? beforeMs : { afterMs, beforeMs };
}

function readIds(texts: readonly string[]): readonly ObjectId[] | Denial {
  if (texts.length > MAX_EDGE_IDS) {
    return deny('malformed_request', `At most ${MAX_EDGE_IDS} ids a request; this one has ${texts.length}.`);
  }
  const ids: ObjectId[] = [];
  for (const text of texts) {
    const id = readId(text);
    if (isDenial(id)) return id;
    ids.push(id);
  }
  return [...new Set(ids)];
}
