import type { Container } from '#gateway/emulator/catalog/container.ts';
import { type Endpoint, nowSeconds } from '#gateway/emulator/endpoint.ts';
import { badRequest } from '#gateway/emulator/errors.ts';
import { queryCharge } from '#gateway/emulator/items/charge.ts';
import { type KeyRange, keyRangeSql } from '#gateway/emulator/items/effective-key.ts';
import { ITEM_COLUMNS, type ItemRow, LIVE, renderItem } from '#gateway/emulator/items/item-row.ts';
import { LIMITS } from '#gateway/emulator/items/limits.ts';
import { type PartitionScope, partitionScopeFromHeader } from '#gateway/emulator/items/partition-key.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { type CosmosRequest, header } from './cosmos-request.ts';
import { pageItems, rangeOf } from './handle-query.ts';
import { sessionHeaders } from './session.ts';

/**
 * The change feed of latest versions: every item at its newest state, in the order of writes, from the position in
 * `If-None-Match` on. 304 when nothing is new. Deletes and expired items do not appear.
 */
export function readChangeFeed(endpoint: Endpoint, request: CosmosRequest, container: Container): CosmosReply {
  if (header(request, 'a-im')?.toLowerCase() !== 'incremental feed')
    throw badRequest('Only the feed of latest versions is supported here.');
  const range = rangeOf(request);
  const partition = partitionScopeFromHeader(container, header(request, 'x-ms-documentdb-partitionkey'));
  const reached = currentLsn(endpoint.store, container);
  const { lsn: from, sinceSeconds } = startOf(request, reached);
  const page = readPage(endpoint, container, { partition, range, from, sinceSeconds, maxItems: pageItems(request) });
  const next = page.full ? page.lsn : reached;
  const headers = {
    ...sessionHeaders(container, reached),
    etag: `"${next}"`,
    'x-ms-item-count': String(page.items.length),
  };
  if (page.items.length === 0) return reply(304, '', { chargeRu: 1, headers });
  const body = `{"_rid":"${container.rid}","Documents":[${page.items.join(',')}],"_count":${page.items.length}}`;
  return reply(200, body, { chargeRu: queryCharge(page.items.length, body.length), headers });
}

function startOf(request: CosmosRequest, reached: number): { lsn: number; sinceSeconds: number } {
  const position = header(request, 'if-none-match');
  if (position === '*') return { lsn: reached, sinceSeconds: 0 };
  if (position !== undefined) {
    const match = /^"?(\d+)"?$/.exec(position);
    if (match === null) throw badRequest('The position of the change feed is malformed.');
    return { lsn: Number(match[1]), sinceSeconds: 0 };
  }
  const since = header(request, 'if-modified-since');
  if (since === undefined) return { lsn: 0, sinceSeconds: 0 };
  const sinceMs = Date.parse(since);
  if (Number.isNaN(sinceMs)) throw badRequest('If-Modified-Since is not a date.');
  return { lsn: 0, sinceSeconds: Math.floor(sinceMs / 1_000) };
}

interface FeedStart {
  readonly partition: PartitionScope | undefined;
  readonly range: KeyRange | undefined;
  readonly from: number;
  readonly sinceSeconds: number;
  readonly maxItems: number;
}

/** Items of one write share a number and are never parted, so a page may be longer than asked. */
function readPage(endpoint: Endpoint, container: Container, { partition, range, ...start }: FeedStart): FeedPage {
  const { from, sinceSeconds, maxItems } = start;
  const parts: { readonly sql: string; readonly values: readonly (string | number | Uint8Array)[] }[] = [
    { sql: 'lsn > ? AND ts >= ?', values: [from, sinceSeconds] },
    { sql: LIVE, values: [nowSeconds(endpoint)] },
    ...(range === undefined ? [] : [keyRangeSql(range)]),
    ...(partition === undefined ? [] : [partition]),
    // Says the same as its key, and from the index alone.
    ...(partition?.pk === undefined ? [] : [{ sql: 'epk = ?', values: [container.effectiveKey(partition.pk)] }]),
  ];
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${container.table} INDEXED BY ${container.table}_feed
    WHERE ${parts.map((part) => part.sql).join(' AND ')} ORDER BY lsn, doc`;
  const values = parts.flatMap((part) => part.values);
  return pageOf(endpoint.store.prepare(sql).iterate(...values) as unknown as Iterable<ItemRow>, {
    container,
    from,
    maxItems,
  });
}

interface PageLimit {
  readonly container: Container;
  readonly from: number;
  readonly maxItems: number;
}

/** Cuts before the write that makes the page too long in items or bytes, unless it is the first. */
function pageOf(rows: Iterable<ItemRow>, { container, from, maxItems }: PageLimit): FeedPage {
  const items: string[] = [];
  /** Where the write began that is being read, and the one before it. */
  let write = { at: 0, lsn: from };
  let before = from;
  let bytes = 0;
  for (const row of rows) {
    if (row.lsn !== write.lsn) {
      before = write.lsn;
      write = { at: items.length, lsn: row.lsn };
      if (items.length >= maxItems) return { items, lsn: before, full: true };
    }
    const text = renderItem(container, row, `,"_lsn":${row.lsn}`);
    bytes += Buffer.byteLength(text);
    if (bytes > LIMITS.pageBytes && write.at > 0) return { items: items.slice(0, write.at), lsn: before, full: true };
    items.push(text);
  }
  return { items, lsn: write.lsn, full: false };
}

interface FeedPage {
  readonly items: readonly string[];
  /** The last write that is whole in the page. */
  readonly lsn: number;
  /** Whether there is more. */
  readonly full: boolean;
}
