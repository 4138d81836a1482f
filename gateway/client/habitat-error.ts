/** Codes that a gateway gives. docs/errors.md explains each. */
export const GATEWAY_CODES = [
  'malformed_request',
  'request_too_large',
  'response_too_large',
  'unauthenticated',
  'unknown_tenant',
  'unknown_type',
  'unknown_edge_type',
  'type_deprecated',
  'edge_type_mismatch',
  'forbidden',
  'quota_exceeded',
  'overloaded',
  'object_not_found',
  'edge_not_found',
  'version_conflict',
  'already_exists',
  'idempotency_conflict',
  'delete_in_progress',
  'write_contended',
  'invalid_cursor',
  'limit_exceeded',
  'content_too_large',
  'content_rejected',
  'key_unavailable',
  'content_unreadable',
  'checksum_mismatch',
  'store_throttled',
  'store_unavailable',
  'deadline_exceeded',
  'outcome_unknown',
  'release_unavailable',
  'unsupported_operation',
  'internal',
] as const;
export type GatewayCode = (typeof GATEWAY_CODES)[number];

/**
 * Codes of the client itself: no gateway could be reached; the connection broke before the reply was whole; what came is
 * no reply of a gateway, like a proxy's page; the caller's signal aborted; a code that this client is too old to know,
 * which the message names.
 */
export type ClientCode = 'unreachable' | 'connection_lost' | 'unreadable_reply' | 'aborted' | 'unrecognized';

export type ErrorCode = GatewayCode | ClientCode;

export interface ErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  /** HTTP status, 0 when no reply came. */
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** Names the request in the console. */
  readonly requestId: string | null;
  /** The console's page about this request. */
  readonly help: string | null;
  /** The policy that forbade it. */
  readonly policy: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a call adds to a refusal. */
export interface CallFields {
  /** `object.put` */
  readonly operation: string;
  /** Of a write: the key to repeat it with, so that it happens once. */
  readonly idempotencyKey: string | null;
  /** Whether a write may have taken effect. */
  readonly mayHaveWritten: boolean;
  /** How often it was sent. */
  readonly attempts: number;
}

/** Every failure of a call. */
export class HabitatError extends Error implements ErrorFields, CallFields {
  override readonly name = 'HabitatError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly help: string | null;
  readonly policy: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly mayHaveWritten: boolean;
  readonly attempts: number;

  constructor(fields: ErrorFields & CallFields, cause?: unknown) {
    super(`${fields.operation}: ${fields.code}: ${fields.message}`, cause === undefined ? undefined : { cause });
    this.code = fields.code;
    this.status = fields.status;
    this.retryable = fields.retryable;
    this.retryAfterMs = fields.retryAfterMs;
    this.requestId = fields.requestId;
    this.help = fields.help;
    this.policy = fields.policy;
    this.details = fields.details;
    this.operation = fields.operation;
    this.idempotencyKey = fields.idempotencyKey;
    this.mayHaveWritten = fields.mayHaveWritten;
    this.attempts = fields.attempts;
  }
}
