import { z } from 'zod';
import {
  DEFAULT_DEADLINE_MS,
  DEFAULT_LIST_LIMIT,
  type HEADERS_IN,
  type HEADERS_OUT,
  MAX_DEADLINE_MS,
  MAX_EDGE_IDS,
  MAX_LIST_LIMIT,
  MAX_LIST_POS,
  MAX_TIME_MS,
} from '../data-api.ts';
import { EdgeTypeName, ObjectId, ObjectTypeName, TenantName } from '../ids.ts';
import { figure } from './figure.ts';

export type HeaderIn = keyof typeof HEADERS_IN;
export type HeaderOut = keyof typeof HEADERS_OUT;

interface Parameter {
  readonly schema: z.ZodType;
  readonly says: string;
}

const timeMs = z.int().min(0).max(MAX_TIME_MS);
/** JSON Schema cannot count bytes of UTF-8; characters are at most as many. */
const id = ObjectId.meta({ minLength: 1, maxLength: 255 });

/** Every name that stands in braces in a path. */
export const PATH_PARAMETERS: Readonly<Record<string, Parameter>> = {
  tenant: { schema: TenantName, says: 'Whose data it is.' },
  type: { schema: ObjectTypeName, says: 'A registered object type.' },
  id: {
    schema: id,
    says: 'Id of the object: 1 to 255 bytes of UTF-8 without control characters, percent-encoded, neither "." nor "..".',
  },
  edgeType: { schema: EdgeTypeName, says: 'A registered edge type that starts at the object type in the path.' },
  toId: { schema: id, says: 'Id of the object at the other end of the edge, of the same form.' },
};

/** Any other query parameter is refused. */
export const QUERY_PARAMETERS = {
  id: {
    schema: z.array(id).min(1).max(MAX_EDGE_IDS),
    says: `Target ids, the parameter as often as there are ids, at most ${MAX_EDGE_IDS}. With it, these edges are read and none is listed.`,
  },
  limit: {
    schema: z.int().min(1).max(MAX_LIST_LIMIT),
    says: `Most edges of the page: ${DEFAULT_LIST_LIMIT} unless told. Above the edge type's listCap it is cut, and the reply says limitClamped.`,
  },
  cursor: {
    schema: z.string(),
    says: 'Where the page before ended, as its reply gave it: good for a day, for the same list and the same bounds.',
  },
  pos: {
    schema: z.int().min(0).max(MAX_LIST_POS),
    says: `Passes over so many edges for one page by its place. Excludes cursor; cost grows with it, so it ends at ${figure(MAX_LIST_POS)}.`,
  },
  after: { schema: timeMs, says: 'Only edges of this time or later, epoch milliseconds.' },
  before: { schema: timeMs, says: 'Only edges of this time or earlier, epoch milliseconds.' },
} as const satisfies Record<string, Parameter>;

/** Request headers; the key itself is the security scheme. */
export const REQUEST_HEADERS: Readonly<Record<Exclude<HeaderIn, 'authorization'>, Parameter>> = {
  idempotencyKey: {
    schema: z.string().regex(/^[\x20-\x7e]{1,128}$/),
    says: 'Makes a write safe to repeat for 23 hours: the same request again answers what it did, another one is refused.',
  },
  deadlineMs: {
    schema: z.int().min(1).max(MAX_DEADLINE_MS).default(DEFAULT_DEADLINE_MS),
    says: 'How long the caller waits. What cannot be answered by then is refused, and nothing is begun after it.',
  },
  consistency: {
    schema: z.enum(['eventual', 'session', 'critical']).default('session'),
    says: 'critical reads what the last write left, at the price of a read where writes go; session sees what Habitat-Session saw.',
  },
  session: {
    schema: z.string().max(8_200),
    says: 'Habitat-Session of the last reply, so that another gateway sees what this caller wrote; of up to eight replies, comma between, when their calls went side by side.',
  },
  ifMatch: {
    schema: z.string().regex(/^"[0-9a-z]{1,11}"$/),
    says: 'Writes or deletes only this version, as ETag gave it.',
  },
  ifNoneMatch: {
    schema: z.string(),
    says: 'On a read: versions that the caller has; one of them answers 304. On a write only *, which writes only what is not there.',
  },
  traceparent: {
    schema: z.string(),
    says: 'W3C trace context. It may be sent and changes nothing in how a request is served.',
  },
};

/** Headers that a call of any kind takes. */
export const COMMON_REQUEST_HEADERS: readonly Exclude<HeaderIn, 'authorization'>[] = [
  'deadlineMs',
  'consistency',
  'session',
  'traceparent',
];

/** Reply headers, and whether every reply has them. */
export const REPLY_HEADERS: Readonly<Record<HeaderOut, Parameter & { readonly isAlways?: true }>> = {
  requestId: {
    schema: z.string(),
    says: 'Names the request in the console, the audit log and `help`.',
    isAlways: true,
  },
  ru: { schema: z.number().min(0), says: 'Request units that Cosmos DB charged, retries included.', isAlways: true },
  serverTiming: { schema: z.string(), says: 'Milliseconds by stage.', isAlways: true },
  release: { schema: z.string().regex(/^r\d+$/), says: 'The release under which the request was decided.' },
  servedFrom: { schema: z.string(), says: 'What answered: a region of the store, or the store when none was asked.' },
  session: { schema: z.string(), says: 'To send with the next request; absent when there is nothing to carry.' },
  limit: { schema: z.int(), says: "The tenant's quota that is nearest to its end, a second." },
  remaining: { schema: z.number(), says: 'How much of it is left.' },
  reset: { schema: z.int(), says: 'Seconds until it is full again.' },
  deprecated: {
    schema: z.string(),
    says: 'One entry for each deprecated type of the request, with what to use instead.',
  },
  misfit: {
    schema: z.string(),
    says: "Content was stored although it does not fit its type's schema: where, percent-encoded, and what was expected.",
  },
};
