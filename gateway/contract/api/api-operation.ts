import type { ErrorCode } from '../errors.ts';
import type { Operation } from '../telemetry.ts';
import type { API_SCHEMAS } from './api-schemas.ts';
import type { HeaderIn, QUERY_PARAMETERS } from './parameters.ts';

export type SchemaName = keyof typeof API_SCHEMAS;
export type QueryParameter = keyof typeof QUERY_PARAMETERS;

/** One call of the data API, for whoever describes it: the OpenAPI document, the console's page, the tests that hold both true. */
export interface ApiOperation {
  /** Unique, and an anchor of the console's page. */
  readonly id: string;
  /** As charts and policies name it. */
  readonly operation: Operation;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Names in braces are path parameters. Two calls may share a method and path; the query tells them apart. */
  readonly path: `/v1/{tenant}/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly query: readonly QueryParameter[];
  /** Beside those that every call takes. */
  readonly headers: readonly HeaderIn[];
  readonly body: ApiBody | null;
  readonly replies: readonly [ApiReply, ...ApiReply[]];
  /** What it takes and answers at most, a sentence each. */
  readonly limits: readonly string[];
  /** Codes beside those that every call may be refused with. */
  readonly errors: readonly ErrorCode[];
  /** In an order in which each is true after those before it, see `API_OPERATIONS`. */
  readonly examples: readonly [ApiExample, ...ApiExample[]];
}

/** `content`: any bytes, which come back as they are. */
export interface ApiBody {
  readonly schema: SchemaName | 'content';
  readonly isRequired: boolean;
}

export interface ApiReply {
  readonly status: 200 | 201 | 304;
  readonly says: string;
  /** Null: no body. */
  readonly schema: SchemaName | 'content' | null;
  readonly hasVersion: boolean;
}

/** A request that was made, and its reply. */
export interface ApiExample {
  readonly name: string;
  readonly says: string;
  /** Values of the path's parameters but the tenant, which is `chat`. */
  readonly path: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [QueryParameter, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** `body` is absent when there is none. Versions, cursors and ids that the gateway chose differ from one run to the next. */
  readonly reply: { readonly status: ApiReply['status']; readonly body?: unknown };
}
