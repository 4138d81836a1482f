import { DEFAULT_LIST_LIMIT, MAX_EDGE_IDS, MAX_LIST_LIMIT, MAX_LIST_POS, MAX_PAGE_BYTES } from '../data-api.ts';
import { MAX_EDGE_DATA_BYTES } from '../definitions/edge-type.ts';
import type { ApiOperation } from './api-operation.ts';
import { figure } from './figure.ts';
import { OF_CONTENT, OF_WRITES, ON_EDGES } from './shared-errors.ts';

const EDGES = '/v1/{tenant}/objects/{type}/{id}/edges/{edgeType}';
const EDGE = `${EDGES}/{toId}` as const;

const FROM = { type: 'Conversation', id: 'c-7', edgeType: 'messages' };
const TIME = 1_764_500_000_000;
const SOUP = { toId: 'm-1', time: TIME, data: 'Ana', version: '1' };

export const edgePut: ApiOperation = {
  id: 'edge.put',
  operation: 'edge.put',
  method: 'PUT',
  path: EDGE,
  summary: 'Write an edge',
  description:
    'One edge of a type leads from an object to another. Written again, its time and data are replaced and it moves in the order of the list. Neither object needs to exist. The inverse type, if there is one, follows.',
  query: [],
  headers: ['idempotencyKey'],
  body: { schema: 'EdgePutBody', isRequired: false },
  replies: [
    { status: 201, says: 'The edge is new.', schema: 'EdgeWritten', hasVersion: false },
    { status: 200, says: 'The edge was replaced.', schema: 'EdgeWritten', hasVersion: false },
  ],
  limits: [
    `Data: at most dataMaxBytes of its type, and never more than ${figure(MAX_EDGE_DATA_BYTES)} bytes.`,
    'An object has at most maxEdges edges of a type.',
    'Time: epoch milliseconds, now unless told.',
  ],
  errors: [...ON_EDGES, ...OF_WRITES, 'content_too_large', 'request_too_large', 'key_unavailable'],
  examples: [
    {
      name: 'newEdge',
      says: 'Add a message to a conversation',
      path: { ...FROM, toId: 'm-1' },
      headers: { 'content-type': 'application/json' },
      body: { time: TIME, data: 'Ana' },
      reply: { status: 201, body: { toId: 'm-1', time: TIME, version: '1', created: true } },
    },
    {
      name: 'edgeWithoutBody',
      says: 'Add another one, of this moment and without data',
      path: { ...FROM, toId: 'm-2' },
      reply: { status: 201, body: { toId: 'm-2', time: TIME, version: '1', created: true } },
    },
  ],
};

export const edgeGet: ApiOperation = {
  id: 'edge.get',
  operation: 'edge.get',
  method: 'GET',
  path: EDGE,
  summary: 'Read one edge',
  description: 'Whether this object leads to that one, with the time and data of the edge.',
  query: [],
  headers: [],
  body: null,
  replies: [{ status: 200, says: 'The edge.', schema: 'Edge', hasVersion: false }],
  limits: [],
  errors: [...ON_EDGES, ...OF_CONTENT, 'edge_not_found'],
  examples: [
    {
      name: 'readEdge',
      says: 'Read it',
      path: { ...FROM, toId: 'm-1' },
      reply: { status: 200, body: SOUP },
    },
  ],
};

export const edgeGetByIds: ApiOperation = {
  id: 'edge.getByIds',
  operation: 'edge.get',
  method: 'GET',
  path: EDGES,
  summary: 'Read the edges to given objects',
  description: 'Those that are there and within the bounds, in the order of the request. One call for all of them.',
  query: ['id', 'after', 'before'],
  headers: [],
  body: null,
  replies: [{ status: 200, says: 'The edges found.', schema: 'EdgesFound', hasVersion: false }],
  limits: [`At most ${MAX_EDGE_IDS} ids.`],
  errors: [...ON_EDGES, ...OF_CONTENT],
  examples: [
    {
      name: 'edgesById',
      says: 'Which of these two are in the conversation',
      path: FROM,
      query: [
        ['id', 'm-1'],
        ['id', 'm-9'],
      ],
      reply: { status: 200, body: { edges: [SOUP] } },
    },
  ],
};

export const edgeList: ApiOperation = {
  id: 'edge.list',
  operation: 'edge.list',
  method: 'GET',
  path: EDGES,
  summary: 'List the edges of an object, newest first',
  description:
    'A page of edges by time, then by cursor the next one. The reply of the last page has no cursor. A walk by cursor meets every edge that lives through it unchanged exactly once.',
  query: ['limit', 'cursor', 'pos', 'after', 'before'],
  headers: [],
  body: null,
  replies: [{ status: 200, says: 'A page.', schema: 'EdgePage', hasVersion: false }],
  limits: [
    `limit: 1 to ${figure(MAX_LIST_LIMIT)}, ${DEFAULT_LIST_LIMIT} unless told; cut to listCap of the edge type.`,
    `A page ends at ${figure(MAX_PAGE_BYTES)} bytes of JSON, whatever its limit.`,
    `pos: 0 to ${figure(MAX_LIST_POS)}, without a cursor.`,
  ],
  errors: [...ON_EDGES, ...OF_CONTENT, 'invalid_cursor'],
  examples: [
    {
      name: 'firstPage',
      says: 'The newest one',
      path: FROM,
      query: [['limit', '1']],
      reply: {
        status: 200,
        body: { edges: [{ toId: 'm-2', time: TIME, version: '1' }], cursor: 'AQFpLYk…' },
      },
    },
    {
      name: 'pageWithinBounds',
      says: 'Those of one moment',
      path: FROM,
      query: [
        ['after', String(TIME)],
        ['before', String(TIME)],
      ],
      reply: { status: 200, body: { edges: [SOUP] } },
    },
  ],
};

export const edgeCount: ApiOperation = {
  id: 'edge.count',
  operation: 'edge.count',
  method: 'GET',
  path: `${EDGES}:count`,
  summary: 'Count the edges of an object',
  description: 'The count is kept with every write, so it costs one read however many edges there are.',
  query: [],
  headers: [],
  body: null,
  replies: [{ status: 200, says: 'The count.', schema: 'EdgeCount', hasVersion: false }],
  limits: [],
  errors: ON_EDGES,
  examples: [{ name: 'countedEdges', says: 'Count them', path: FROM, reply: { status: 200, body: { count: 2 } } }],
};

export const edgeChangeType: ApiOperation = {
  id: 'edge.changeType',
  operation: 'edge.changeType',
  method: 'POST',
  path: `${EDGE}:changeType`,
  summary: 'Change the type of an edge',
  description:
    'The edge leaves one list and enters another in one step, with its time and data. An edge of the new type to the same object is replaced.',
  query: [],
  headers: ['idempotencyKey'],
  body: { schema: 'EdgeChangeBody', isRequired: true },
  replies: [{ status: 200, says: 'The edge under its new type.', schema: 'EdgeMoved', hasVersion: false }],
  limits: ['Both types have the same ends.'],
  errors: [...ON_EDGES, ...OF_WRITES, ...OF_CONTENT, 'edge_not_found', 'content_too_large', 'request_too_large'],
  examples: [
    {
      name: 'movedEdge',
      says: 'Archive a message',
      path: { ...FROM, toId: 'm-2' },
      headers: { 'content-type': 'application/json' },
      body: { to: 'archived' },
      reply: {
        status: 200,
        body: { toId: 'm-2', edgeType: 'archived', time: TIME, version: '2', replaced: false },
      },
    },
  ],
};

export const edgeDelete: ApiOperation = {
  id: 'edge.delete',
  operation: 'edge.delete',
  method: 'DELETE',
  path: EDGE,
  summary: 'Delete an edge',
  description: 'With its inverse. Deleting an edge that is not there changes nothing.',
  query: [],
  headers: ['idempotencyKey'],
  body: null,
  replies: [{ status: 200, says: 'It is gone, or was not there.', schema: 'EdgeDeleted', hasVersion: false }],
  limits: [],
  errors: [...ON_EDGES, ...OF_WRITES],
  examples: [
    {
      name: 'deletedEdge',
      says: 'Take a message out',
      path: { ...FROM, toId: 'm-1' },
      reply: { status: 200, body: { toId: 'm-1', deleted: true } },
    },
  ],
};
