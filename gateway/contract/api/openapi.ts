import { HEADERS_IN, HEADERS_OUT } from '../data-api.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { ApiExample, ApiOperation, ApiReply, QueryParameter } from './api-operation.ts';
import { API_OPERATIONS, codesOf } from './api-operations.ts';
import { API_SCHEMAS, BODIES_SENT } from './api-schemas.ts';
import { errorExampleOf } from './error-examples.ts';
import { type Json, schemaOf } from './json-schema.ts';
import {
  COMMON_REQUEST_HEADERS,
  type HeaderOut,
  PATH_PARAMETERS,
  QUERY_PARAMETERS,
  REPLY_HEADERS,
  REQUEST_HEADERS,
} from './parameters.ts';
import { PLAIN_ROUTES } from './plain-routes.ts';

const DESCRIPTION = `Objects and their edges in front of Azure Cosmos DB. One call touches one object, its direct edges, or a batch of such calls; there are no queries.

Every refusal has the body \`Error\`: its \`code\` says what to do, \`help\` leads to the console's page of that request. A path, method or query parameter that is not described here is refused, not ignored.`;

/** OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1) of the gateway: from the shapes that parse requests, without any tenant's data. */
export function openApi(version: string): Json {
  const paths = new Map<string, ApiOperation[][]>();
  for (const calls of Map.groupBy(API_OPERATIONS, ({ method, path }) => `${method} ${path}`).values()) {
    const path = calls[0]?.path ?? '';
    paths.set(path, [...(paths.get(path) ?? []), calls]);
  }
  const described = [...paths].map(([path, operations]) => [path, Object.fromEntries(operations.map(operationOf))]);
  return {
    openapi: '3.1.0',
    info: { title: 'Habitat gateway', version, description: DESCRIPTION },
    servers: [{ url: '/', description: 'The gateway that serves this description.' }],
    security: [{ key: [] }],
    paths: { ...Object.fromEntries(described), ...PLAIN_ROUTES },
    components: components(),
  };
}

function components(): Json {
  const schemas = Object.entries(API_SCHEMAS).map(([name, schema]) => {
    // As `output` an object has no other members; what comes in is strict by itself.
    return [name, schemaOf(schema, BODIES_SENT.includes(name) ? 'output' : 'input')];
  });
  const headers = Object.entries(REPLY_HEADERS).map(([name, { schema, says, isAlways }]) => [
    name,
    { description: says, required: isAlways ?? false, schema: schemaOf(schema, 'input') },
  ]);
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const examples = codes.map((code) => [code, { summary: ERRORS[code].advice, value: errorExampleOf(code) }]);
  return {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', bearerFormat: 'hk_<id>_<secret>', description: 'A key of a principal.' },
    },
    schemas: Object.fromEntries(schemas),
    headers: Object.fromEntries(headers),
    examples: Object.fromEntries(examples),
  };
}

function operationOf(calls: readonly ApiOperation[]): readonly [string, Json] {
  const [first] = calls;
  if (first === undefined) throw new Error('There is no call.');
  const operation = {
    operationId: calls.map(({ id }) => id.replaceAll('.', '_')).join('_or_'),
    summary: calls.map(({ summary }) => summary).join('; or: '),
    description: calls.map(descriptionOf).join('\n\n'),
    tags: [first.operation.split('.')[0]],
    'x-habitat-operations': [...new Set(calls.map((call) => call.operation))],
    parameters: parametersOf(calls),
    ...bodyOf(first),
    responses: { ...repliesOf(calls), ...refusalsOf(calls) },
  };
  return [first.method.toLowerCase(), operation];
}

function descriptionOf({ summary, description, limits }: ApiOperation): string {
  return [`${summary}. ${description}`, ...limits.map((limit) => `- ${limit}`)].join('\n');
}

function parametersOf(calls: readonly [ApiOperation, ...ApiOperation[]] | readonly ApiOperation[]): Json[] {
  const [first] = calls;
  const inPath = [...(first?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameterOf('path', name, { ...PATH_PARAMETERS[name], isRequired: true }),
  );
  const queries = new Set<QueryParameter>(calls.flatMap(({ query }) => query));
  const inQuery = [...queries].map((name) => parameterOf('query', name, QUERY_PARAMETERS[name]));
  const headers = new Set([...COMMON_REQUEST_HEADERS, ...calls.flatMap((call) => call.headers)]);
  const inHeaders = [...headers].flatMap((name) =>
    name === 'authorization' ? [] : [parameterOf('header', HEADERS_IN[name], REQUEST_HEADERS[name])],
  );
  return [...inPath, ...inQuery, ...inHeaders];
}

interface Described {
  readonly schema?: Parameters<typeof schemaOf>[0];
  readonly says?: string;
  readonly isRequired?: boolean;
}

function parameterOf(place: 'path' | 'query' | 'header', name: string, { schema, says, isRequired }: Described): Json {
  if (schema === undefined) throw new Error(`${name} is not described.`);
  return { name, in: place, required: isRequired ?? false, description: says, schema: schemaOf(schema, 'input') };
}

function bodyOf({ body, examples }: ApiOperation): Json {
  if (body === null) return {};
  const named = examples.filter((example) => example.body !== undefined);
  const values = Object.fromEntries(named.map((one) => [one.name, { summary: one.says, value: one.body }]));
  return { requestBody: { required: body.isRequired, content: contentOf(body.schema, values) } };
}

/** Content is any bytes: its schema says nothing. */
function contentOf(schema: Exclude<ApiReply['schema'], null>, examples: Json): Json {
  if (schema !== 'content') return { 'application/json': { schema: refTo('schemas', schema), examples } };
  return { 'application/json': { schema: {}, examples }, '*/*': { schema: {} } };
}

function repliesOf(calls: readonly ApiOperation[]): Json {
  const replies = calls.flatMap((call) => call.replies.map((reply) => ({ call, reply })));
  const byStatus = Map.groupBy(replies, ({ reply }) => reply.status);
  return Object.fromEntries([...byStatus].map(([status, ofStatus]) => [status, replyOf(status, ofStatus)]));
}

interface Replying {
  readonly call: ApiOperation;
  readonly reply: ApiReply;
}

function replyOf(status: number, replying: readonly Replying[]): Json {
  const headers = Object.keys(REPLY_HEADERS) as HeaderOut[];
  const version = { ETag: { description: 'The version of the object, in quotes.', schema: { type: 'string' } } };
  const hasVersion = replying.some(({ reply }) => reply.hasVersion);
  return {
    description: replying.map(({ reply }) => reply.says).join(' Or: '),
    headers: {
      ...Object.fromEntries(headers.map((name) => [HEADERS_OUT[name], refTo('headers', name)])),
      ...(hasVersion ? version : {}),
    },
    ...contentOfReplies(status, replying),
  };
}

function contentOfReplies(status: number, replying: readonly Replying[]): Json {
  const schemas = replying.flatMap(({ reply }) => (reply.schema === null ? [] : [reply.schema]));
  const [only] = schemas;
  if (only === undefined) return {};
  const made: readonly ApiExample[] = replying.flatMap(({ call }) => call.examples);
  const shown = made.filter(({ reply }) => reply.status === status);
  const examples = Object.fromEntries(shown.map((one) => [one.name, { summary: one.says, value: one.reply.body }]));
  if (schemas.length === 1) return { content: contentOf(only, examples) };
  const anyOf = schemas.map((name) => refTo('schemas', name));
  return { content: { 'application/json': { schema: { anyOf }, examples } } };
}

/** By status, since OpenAPI has one reply a status: its codes stand in the description, an example each. */
function refusalsOf(calls: readonly ApiOperation[]): Json {
  const byStatus = Map.groupBy(new Set(calls.flatMap(codesOf)), (code) => ERRORS[code].status);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusalOf(codes)]));
}

function refusalOf(codes: readonly ErrorCode[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, refTo('examples', code)]));
  const always = [HEADERS_OUT.requestId, refTo('headers', 'requestId')] as const;
  const waits = codes.some((code) => ERRORS[code].retryable);
  const wait = { description: 'Seconds to wait, when the code knows.', schema: { type: 'integer', minimum: 1 } };
  return {
    description: codes.join(', '),
    headers: { [always[0]]: always[1], ...(waits ? { 'Retry-After': wait } : {}) },
    content: { 'application/json': { schema: refTo('schemas', 'Error'), examples } },
  };
}

function refTo(kind: 'schemas' | 'headers' | 'examples', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}
