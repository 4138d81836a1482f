import { z } from 'zod';
import {
  EdgeCount,
  EdgeDeleted,
  EdgeMoved,
  EdgePage,
  EdgesFound,
  EdgeWritten,
  ObjectDeleted,
  ObjectWritten,
} from '#gateway/contract/data-api.ts';
import { ErrorBody } from '#gateway/contract/errors.ts';
import type { Action, Outcome, Reply, SeenEdge } from './history.ts';
import { batchOperationOf, batchRequest, commitBodyOf, contentOf, endsOf, readBatchReply } from './send-batch.ts';
import type { Received, Sending } from './sending.ts';

export interface Answer {
  /** `absent`: nobody listened, so no byte was sent. */
  readonly outcome: Outcome | { readonly kind: 'absent' };
  /** `Habitat-Session` of the reply. */
  readonly session: string | null;
  /** Id of the object that the batch created. */
  readonly createdId: string | null;
}

/** No deadline of a run is longer; a gateway that says nothing for so long is at fault. */
const SILENT_AFTER_MS = 30_000;

/** Sends an action once. */
export async function send(action: Action, sending: Sending): Promise<Answer> {
  const { url, token, headers, isBatched } = sending;
  const batch = isBatched ? batchOperationOf(action, sending) : null;
  const { method, path, body } = batch === null ? requestOf(action, sending) : batchRequest(batch);
  try {
    const response = await fetch(`${url}/v1/chat/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: AbortSignal.timeout(SILENT_AFTER_MS),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const whole: Received = { isOk: response.ok, version: unquoted(response.headers.get('etag')), text };
    const told = batch !== null && response.ok ? readBatchReply(text) : { ...whole, createdId: null };
    return {
      outcome: outcomeOf(action, told, { ...sending, isBatched: batch !== null }),
      session: response.headers.get('habitat-session'),
      createdId: told.createdId,
    };
  } catch (error) {
    if (error instanceof z.ZodError) throw error;
    if (causeOf(error) === 'ECONNREFUSED') return { outcome: { kind: 'absent' }, session: null, createdId: null };
    return { outcome: { kind: 'unknown', why: causeOf(error) }, session: null, createdId: null };
  }
}

function unquoted(etag: string | null): string {
  return (etag ?? '').replaceAll('"', '');
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.name;
}

/** What tells a part's reply; the rest repeats what was asked. */
const PartReply = z.object({
  version: z.string().exactOptional(),
  created: z.boolean().exactOptional(),
  deleted: z.boolean().exactOptional(),
});

interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST';
  readonly path: string;
  readonly body?: string;
}

function requestOf(action: Action, { from, targetOf }: Sending): Request {
  const object = `objects/Conversation/${from}`;
  switch (action.op) {
    case 'object.put':
      return { method: 'PUT', path: object, body: contentOf(action.mark) };
    case 'object.delete':
      return { method: 'DELETE', path: object };
    case 'object.get':
      return { method: 'GET', path: object };
    case 'edge.put':
    case 'edge.delete': {
      const { type, id, edgeType, toId } = endsOf(action, { from, targetOf });
      const path = `objects/${type}/${id}/edges/${edgeType}/${toId}`;
      if (action.op === 'edge.delete') return { method: 'DELETE', path };
      return { method: 'PUT', path, body: JSON.stringify({ time: action.timeMs, data: action.mark }) };
    }
    case 'edge.changeType': {
      const path = `${object}/edges/${action.type}/${targetOf(action.to)}:changeType`;
      return { method: 'POST', path, body: JSON.stringify({ to: action.into }) };
    }
    case 'commit':
      return { method: 'POST', path: `${object}:commit`, body: JSON.stringify(commitBodyOf(action.parts, targetOf)) };
    case 'target.delete':
      return { method: 'DELETE', path: `objects/Message/${targetOf(action.to)}` };
    case 'edge.get': {
      const [only, ...others] = action.to;
      // One target by its path, several by their ids: two ways of reading.
      if (only !== undefined && others.length === 0) {
        return { method: 'GET', path: `${object}/edges/${action.type}/${targetOf(only)}` };
      }
      const ids = action.to.map((to) => `id=${targetOf(to)}`).join('&');
      return { method: 'GET', path: `${object}/edges/${action.type}?${ids}` };
    }
    case 'edge.count':
      return { method: 'GET', path: `${object}/edges/${action.type}:count` };
    case 'edge.list':
      return { method: 'GET', path: `${object}/edges/${action.type}?limit=1000` };
    default:
      return action satisfies never;
  }
}

function outcomeOf(action: Action, received: Received, sending: Sending): Outcome {
  const { isOk, text } = received;
  if (!isOk) {
    const { code, message } = ErrorBody.parse(JSON.parse(text)).error;
    if (code === 'object_not_found' && action.op === 'object.get') return { kind: 'done', reply: { object: null } };
    if (code === 'edge_not_found' && action.op === 'edge.get') return { kind: 'done', reply: { edges: [] } };
    return code === 'outcome_unknown' ? { kind: 'unknown', why: code } : { kind: 'refused', code, says: message };
  }
  return { kind: 'done', reply: replyOf(action, received, sending) };
}

function replyOf(action: Action, { version: etag, text }: Received, { nameOf, isBatched }: Sending): Reply {
  const json = (): unknown => JSON.parse(text);
  switch (action.op) {
    case 'object.put': {
      const { version, created } = ObjectWritten.parse(json());
      return { version, created };
    }
    case 'object.delete':
      return { deleted: ObjectDeleted.parse(json()).deleted };
    case 'target.delete':
      return { deleted: ObjectDeleted.parse(json()).deleted };
    case 'object.get':
      return { object: { mark: text.split(' ')[0] ?? '', version: etag } };
    case 'edge.put': {
      const { version, created } = EdgeWritten.parse(json());
      return { version, created };
    }
    case 'edge.delete':
      return { deleted: EdgeDeleted.parse(json()).deleted };
    case 'edge.changeType': {
      const { version, replaced } = EdgeMoved.parse(json());
      return { version, replaced };
    }
    case 'commit':
      return { parts: z.object({ results: z.array(PartReply) }).parse(json()).results };
    case 'edge.get':
    case 'edge.list': {
      const isSingle = action.op === 'edge.get' && action.to.length === 1 && !isBatched;
      const edges = isSingle ? [EdgesFound.shape.edges.element.parse(json())] : pageOf(action.op, json()).edges;
      return {
        edges: edges.map(
          (edge): SeenEdge => ({
            to: nameOf(edge.toId),
            mark: edge.data ?? '',
            version: edge.version,
            timeMs: edge.time,
          }),
        ),
      };
    }
    case 'edge.count':
      return { count: EdgeCount.parse(json()).count };
    default:
      return action satisfies never;
  }
}

function pageOf(op: 'edge.get' | 'edge.list', json: unknown) {
  return op === 'edge.get' ? EdgesFound.parse(json) : EdgePage.parse(json);
}
