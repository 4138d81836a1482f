import {
  MAX_BATCH_BYTES,
  MAX_BATCH_OPERATIONS,
  MAX_BATCH_REPLY_BYTES,
  MAX_COMMIT_BYTES,
  MAX_COMMIT_ITEMS,
} from '../data-api.ts';
import type { ApiOperation } from './api-operation.ts';
import { errorExampleOf } from './error-examples.ts';
import { figure } from './figure.ts';
import { OF_CONTENT, OF_WRITES, ON_EDGES } from './shared-errors.ts';

const TIME = 1_764_500_060_000;
const AS_JSON = { 'content-type': 'application/json' };

export const commit: ApiOperation = {
  id: 'commit',
  operation: 'commit',
  method: 'POST',
  path: '/v1/{tenant}/objects/{type}/{id}:commit',
  summary: 'Write an object and its edges, all or none',
  description:
    'Operations on one object and on edges that start there, in order, in one write. One that cannot be done refuses them all and is named in details.operation.',
  query: [],
  headers: ['idempotencyKey'],
  body: { schema: 'CommitBody', isRequired: true },
  replies: [{ status: 200, says: 'One result an operation.', schema: 'CommitResults', hasVersion: false }],
  limits: [
    `1 to ${MAX_COMMIT_ITEMS} operations on at most ${MAX_COMMIT_ITEMS} items; a change of type touches two.`,
    `At most ${figure(MAX_COMMIT_BYTES)} bytes as stored.`,
    'At most one object.put. Inverse edge types are written by their forward type.',
  ],
  errors: [
    ...ON_EDGES,
    ...OF_WRITES,
    ...OF_CONTENT,
    'edge_not_found',
    'version_conflict',
    'already_exists',
    'content_too_large',
    'content_rejected',
    'request_too_large',
  ],
  examples: [
    {
      name: 'committed',
      says: 'Rename a conversation and add a message to it',
      path: { type: 'Conversation', id: 'c-7' },
      headers: { ...AS_JSON, 'idempotency-key': '5f0c-commit' },
      body: {
        operations: [
          { op: 'object.put', json: { title: 'Dinner' } },
          { op: 'edge.put', edgeType: 'messages', toId: 'm-3', time: TIME },
        ],
      },
      reply: {
        status: 200,
        body: {
          results: [
            { id: 'c-7', version: '3', created: false },
            { toId: 'm-3', time: TIME, version: '1', created: true },
          ],
        },
      },
    },
  ],
};

export const batch: ApiOperation = {
  id: 'batch',
  operation: 'batch',
  method: 'POST',
  path: '/v1/{tenant}/batch',
  summary: 'Many operations in one request, each with its own outcome',
  description:
    'Operations on one object run in order, others side by side; policy, quota and audit see each by itself. One that is refused or malformed fails alone, with the status that the single call would have. An Idempotency-Key holds for each operation at its place.',
  query: [],
  headers: ['idempotencyKey'],
  body: { schema: 'BatchBody', isRequired: true },
  replies: [
    {
      status: 200,
      says: 'One result an operation, in the order of the request.',
      schema: 'BatchResults',
      hasVersion: false,
    },
  ],
  limits: [
    `1 to ${MAX_BATCH_OPERATIONS} operations in at most ${figure(MAX_BATCH_BYTES)} bytes.`,
    `Once the reply holds ${figure(MAX_BATCH_REPLY_BYTES)} bytes of content, further reads are response_too_large.`,
    'One deadline for all.',
  ],
  errors: ['request_too_large'],
  examples: [
    {
      name: 'batched',
      says: 'Read an object, count its edges, and read one that is not there',
      path: {},
      headers: AS_JSON,
      body: {
        operations: [
          { op: 'object.get', type: 'Conversation', id: 'c-7' },
          { op: 'edge.count', type: 'Conversation', id: 'c-7', edgeType: 'messages' },
          { op: 'object.get', type: 'Message', id: 'm-9' },
        ],
      },
      reply: {
        status: 200,
        body: {
          results: [
            {
              status: 200,
              requestId: '01KBA7Z3P9QW6T2M4X8RVD5NCF',
              version: '3',
              contentType: 'application/json',
              text: '{"title":"Dinner"}',
            },
            { status: 200, requestId: '01KBA7Z3P9QW6T2M4X8RVD5NCG', body: { count: 2 } },
            { status: 404, requestId: '01KBA7Z3P9QW6T2M4X8RVD5NCH', ...errorExampleOf('object_not_found') },
          ],
        },
      },
    },
  ],
};
