import { MAX_OBJECT_BYTES } from '../definitions/object-type.ts';
import type { ApiExample, ApiOperation } from './api-operation.ts';
import { figure } from './figure.ts';
import { OF_CONTENT, OF_WRITES, ON_AN_OBJECT } from './shared-errors.ts';

const TYPE = '/v1/{tenant}/objects/{type}';
const OBJECT = `${TYPE}/{id}` as const;

const FITS = `Content: at most maxBytes of its type, and never more than ${figure(MAX_OBJECT_BYTES)} bytes.`;
const LENGTH = 'Content-Length is sent; Transfer-Encoding is refused.';
const WRITTEN = [
  { status: 201, says: 'The object is new.', schema: 'ObjectWritten', hasVersion: true },
  { status: 200, says: 'The object was replaced.', schema: 'ObjectWritten', hasVersion: true },
] as const;

const CONVERSATION = { type: 'Conversation', id: 'c-7' };
const TITLE = { title: 'Lunch' };
const AS_JSON = { 'content-type': 'application/json' };

const putExamples: readonly [ApiExample, ...ApiExample[]] = [
  {
    name: 'newObject',
    says: 'Write an object that is not there yet',
    path: CONVERSATION,
    headers: { ...AS_JSON, 'if-none-match': '*' },
    body: TITLE,
    reply: { status: 201, body: { id: 'c-7', version: '1', created: true } },
  },
  {
    name: 'replacedObject',
    says: 'Replace it; repeated with its key it is replaced once',
    path: CONVERSATION,
    headers: { ...AS_JSON, 'idempotency-key': '5f0c-rename' },
    body: { title: 'Lunch on Friday' },
    reply: { status: 200, body: { id: 'c-7', version: '2', created: false } },
  },
];

export const objectPut: ApiOperation = {
  id: 'object.put',
  operation: 'object.put',
  method: 'PUT',
  path: OBJECT,
  summary: 'Write an object',
  description:
    'Stores any bytes under an id, whole: what was there is replaced. Content comes back byte for byte with its Content-Type; it is read only when its type has a schema, and never changed.',
  query: [],
  headers: ['idempotencyKey', 'ifMatch', 'ifNoneMatch'],
  body: { schema: 'content', isRequired: true },
  replies: WRITTEN,
  limits: [FITS, LENGTH, 'If-Match and If-None-Match exclude each other.'],
  errors: [
    ...ON_AN_OBJECT,
    ...OF_WRITES,
    'version_conflict',
    'already_exists',
    'content_too_large',
    'content_rejected',
    'request_too_large',
    'key_unavailable',
  ],
  examples: putExamples,
};

export const objectCreate: ApiOperation = {
  id: 'object.create',
  operation: 'object.create',
  method: 'POST',
  path: TYPE,
  summary: 'Write an object under an id that the gateway chooses',
  description:
    'Ids sort by the time they were made. The same Idempotency-Key of the same principal gives the same id, so a repeated request makes one object.',
  query: [],
  headers: ['idempotencyKey'],
  body: { schema: 'content', isRequired: true },
  replies: WRITTEN,
  limits: [FITS, LENGTH],
  errors: [
    ...ON_AN_OBJECT,
    ...OF_WRITES,
    'already_exists',
    'content_too_large',
    'content_rejected',
    'request_too_large',
    'key_unavailable',
  ],
  examples: [
    {
      name: 'createdObject',
      says: 'Create a message',
      path: { type: 'Message' },
      headers: { ...AS_JSON, 'idempotency-key': '5f0c-1' },
      body: { text: 'Soup?' },
      reply: { status: 201, body: { id: '01KBA7Z3P9QW6T2M4X8RVD5NCH', version: '1', created: true } },
    },
  ],
};

export const objectGet: ApiOperation = {
  id: 'object.get',
  operation: 'object.get',
  method: 'GET',
  path: OBJECT,
  summary: 'Read an object',
  description: 'The content as it was written, with its Content-Type, and its version as ETag.',
  query: [],
  headers: ['ifNoneMatch'],
  body: null,
  replies: [
    { status: 200, says: 'The content.', schema: 'content', hasVersion: true },
    { status: 304, says: 'The caller has this version.', schema: null, hasVersion: true },
  ],
  limits: [],
  errors: [...ON_AN_OBJECT, ...OF_CONTENT, 'object_not_found'],
  examples: [
    {
      name: 'readObject',
      says: 'Read it',
      path: CONVERSATION,
      reply: { status: 200, body: { title: 'Lunch on Friday' } },
    },
    {
      name: 'unchangedObject',
      says: 'Ask only whether it is there',
      path: CONVERSATION,
      headers: { 'if-none-match': '*' },
      reply: { status: 304 },
    },
  ],
};

export const objectDelete: ApiOperation = {
  id: 'object.delete',
  operation: 'object.delete',
  method: 'DELETE',
  path: OBJECT,
  summary: 'Delete an object with its edges',
  description:
    'The object and every edge that starts or ends at it are gone for every reader at once. With many edges the deletion of what is stored goes on after the reply, which then says sweeping.',
  query: [],
  headers: ['idempotencyKey', 'ifMatch'],
  body: null,
  replies: [{ status: 200, says: 'It is gone, or was not there.', schema: 'ObjectDeleted', hasVersion: false }],
  limits: ['Works off edges for a second at most; the rest follows in the background.'],
  errors: [...ON_AN_OBJECT, ...OF_WRITES, 'version_conflict'],
  examples: [
    {
      name: 'deletedObject',
      says: 'Delete it',
      path: CONVERSATION,
      reply: { status: 200, body: { id: 'c-7', deleted: true } },
    },
    {
      name: 'deletedNothing',
      says: 'Deleting what is not there changes nothing',
      path: CONVERSATION,
      reply: { status: 200, body: { id: 'c-7', deleted: false } },
    },
  ],
};
