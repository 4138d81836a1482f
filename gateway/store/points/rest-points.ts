import type { AttemptScopes } from '#gateway/store/http/attempt-scope.ts';
import type { FreeList } from '#gateway/store/http/free-list.ts';
import { amountOf } from '#gateway/store/http/reply-headers.ts';
import { sendMetered } from '#gateway/store/http/send-metered.ts';
import { CONTAINER, DATABASE } from '#gateway/store/layout/container.ts';
import type { PointReads } from './point-reads.ts';
import { RefusedReply } from './refused-reply.ts';
import type { SignRead } from './sign-read.ts';

export interface RestPointsParts {
  readonly origin: string;
  readonly list: FreeList;
  readonly scopes: AttemptScopes;
  readonly sign: SignRead;
  readonly now: () => number;
}

const DOCUMENTS = `dbs/${DATABASE}/colls/${CONTAINER}/docs/`;

/** What every point read says of itself; the values are the SDK's. */
const FIXED_HEADERS = {
  accept: 'application/json',
  'cache-control': 'no-cache',
  'user-agent': 'habitat-gateway',
  'x-ms-version': '2020-07-15',
  // Partitions may be merged: the tokens of their successors are understood.
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
} as const;

/**
 * Point reads as signed requests of our own over the same connections, for a fraction of the SDK's processor time:
 * https://learn.microsoft.com/rest/api/cosmos-db/get-a-document. The body is parsed once.
 */
export function createRestPoints(parts: RestPointsParts): PointReads {
  const { list, scopes, sign } = parts;
  const { host } = new URL(parts.origin);
  const dateOf = createDates(parts.now);
  return {
    async read({ pk, id }, freshness, signal) {
      const link = DOCUMENTS + id;
      const date = dateOf();
      const signed = sign(link, date, signal);
      const headers: Record<string, string> = {
        ...FIXED_HEADERS,
        'x-ms-date': date,
        'x-ms-documentdb-partitionkey': asciiJson(pk),
        'x-ms-consistency-level': freshness.consistencyLevel,
        authorization: typeof signed === 'string' ? signed : await signed,
      };
      if (freshness.sessionToken !== undefined) headers['x-ms-session-token'] = freshness.sessionToken;
      const request = { method: 'GET', host, path: `/${encodeURI(link)}`, headers, body: null, signal };
      const reply = await sendMetered(list, request, scopes.getStore());
      if (reply.status < 300) return JSON.parse(reply.text);
      const subStatus = amountOf(reply.headers['x-ms-substatus']);
      if (reply.status === 404 && subStatus === 0) return null;
      throw new RefusedReply(reply.status, subStatus, reply.retryAfterMs);
    },
  };
}

/** A list of one string as JSON that a header can carry. */
function asciiJson(text: string): string {
  const json = JSON.stringify([text]);
  if (/^[\x20-\x7e]*$/.test(json)) return json;
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The date of a request as HTTP writes it, made once a second. */
function createDates(now: () => number): () => string {
  let second = Number.NaN;
  let date = '';
  return () => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) {
      second = current;
      date = new Date(current * 1_000).toUTCString();
    }
    return date;
  };
}
