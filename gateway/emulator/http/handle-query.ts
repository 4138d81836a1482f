import { z } from 'zod';
import { type Container, RANGE_ID } from '#gateway/emulator/catalog/container.ts';
import { type Endpoint, nowSeconds } from '#gateway/emulator/endpoint.ts';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { type KeyRange, keyRangeOf } from '#gateway/emulator/items/effective-key.ts';
import { LIMITS } from '#gateway/emulator/items/limits.ts';
import { partitionScopeFromHeader } from '#gateway/emulator/items/partition-key.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import type { Json } from '#gateway/emulator/json.ts';
import type { Query } from '#gateway/emulator/query/ast.ts';
import { parseQuery } from '#gateway/emulator/query/parse.ts';
import { runQuery } from '#gateway/emulator/query/run-query.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { bodyJson, type CosmosRequest, header, isTrue } from './cosmos-request.ts';
import { checkConsistency, sessionHeaders } from './session.ts';

const QueryBody = z.object({
  query: z.string().max(256 * 1024),
  parameters: z.array(z.object({ name: z.string().startsWith('@'), value: z.unknown() })).default([]),
});

const EVERYTHING: Query = {
  selection: { kind: 'all' },
  where: undefined,
  order: [],
  offset: 0,
  limit: undefined,
};

/** A query, in one partition when the header names one, else over the container. */
export function answerQuery(endpoint: Endpoint, request: CosmosRequest, container: Container): CosmosReply {
  return queryReply(endpoint, request, { container, query: readQuery(container, request) });
}

/** The plain list of items. */
export function listItems(endpoint: Endpoint, request: CosmosRequest, container: Container): CosmosReply {
  return queryReply(endpoint, request, { container, query: EVERYTHING });
}

/**
 * How a client should run a query over several ranges. There is one range, which sorts, counts and cuts by itself, so
 * the plan asks nothing of the client.
 */
export function answerQueryPlan(container: Container, request: CosmosRequest): CosmosReply {
  const query = readQuery(container, request);
  const isValue =
    query.selection.kind === 'value' || (query.selection.kind === 'count' && query.selection.name === undefined);
  const plan = {
    partitionedQueryExecutionInfoVersion: 2,
    queryInfo: {
      distinctType: 'None',
      top: null,
      offset: null,
      limit: null,
      orderBy: [],
      orderByExpressions: [],
      groupByExpressions: [],
      groupByAliases: [],
      aggregates: [],
      groupByAliasToAggregateType: {},
      rewrittenQuery: '',
      hasSelectValue: isValue,
      hasNonStreamingOrderBy: false,
    },
    queryRanges: [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }],
  };
  return reply(200, JSON.stringify(plan), { headers: { 'x-ms-content-path': container.rid } });
}

function readQuery(container: Container, request: CosmosRequest): Query {
  const parsed = QueryBody.safeParse(bodyJson(request));
  if (!parsed.success) throw badRequest(`The query is not valid: ${z.prettifyError(parsed.error)}`);
  const { query, parameters: given } = parsed.data;
  const parameters = given.map(({ name, value }) => [name, value as Json] as const);
  return parseQuery(query, new Map(parameters), container.tokenize(query));
}

function queryReply(
  endpoint: Endpoint,
  request: CosmosRequest,
  { container, query }: { container: Container; query: Query },
): CosmosReply {
  checkConsistency(endpoint, container, request);
  const page = runQuery(
    {
      store: endpoint.store,
      container,
      partition: partitionScopeFromHeader(container, header(request, 'x-ms-documentdb-partitionkey')),
      range: rangeOf(request),
      nowSeconds: nowSeconds(endpoint),
      allowScan: isTrue(request, 'x-ms-documentdb-query-enable-scan'),
      pageItems: pageItems(request),
      continuation: header(request, 'x-ms-continuation'),
    },
    query,
  );
  const body = `{"_rid":"${container.rid}","Documents":[${page.results.join(',')}],"_count":${page.results.length}}`;
  return reply(200, body, {
    chargeRu: page.chargeRu,
    headers: {
      ...sessionHeaders(container, currentLsn(endpoint.store, container)),
      'x-ms-item-count': String(page.results.length),
      ...(page.continuation === undefined ? {} : { 'x-ms-continuation': page.continuation }),
    },
  });
}

/** A range that is not there has been split or merged away, as far as a client can know. */
export function checkRange(request: CosmosRequest): void {
  const range = header(request, 'x-ms-documentdb-partitionkeyrangeid');
  if (range !== undefined && range !== RANGE_ID) {
    throw new CosmosError(410, `The partition key range ${range} is gone.`, { subStatus: 1002 });
  }
}

/** The part of the range that a query or a feed asks for; undefined for all of it. */
export function rangeOf(request: CosmosRequest): KeyRange | undefined {
  checkRange(request);
  return keyRangeOf(header(request, 'x-ms-start-epk'), header(request, 'x-ms-end-epk'));
}

/** `-1` and an absent header leave the size of a page to the endpoint. */
export function pageItems(request: CosmosRequest): number {
  const text = header(request, 'x-ms-max-item-count');
  if (text === undefined || text === '-1') return LIMITS.pageItems;
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw badRequest('x-ms-max-item-count is a positive number or -1.');
  return Math.min(count, 10_000);
}
