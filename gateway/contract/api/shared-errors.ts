import type { ErrorCode } from '../errors.ts';

/** Codes that every call may be refused with, whole. */
export const COMMON_CODES: readonly ErrorCode[] = [
  'malformed_request',
  'unauthenticated',
  'quota_exceeded',
  'overloaded',
  'deadline_exceeded',
  'release_unavailable',
  'internal',
];

/** Codes of every call about one object. */
export const ON_AN_OBJECT: readonly ErrorCode[] = [
  'unknown_tenant',
  'unknown_type',
  'type_deprecated',
  'forbidden',
  'store_throttled',
  'store_unavailable',
];

/** Codes of every call about the edges of an object, beside those. */
export const ON_EDGES: readonly ErrorCode[] = [...ON_AN_OBJECT, 'unknown_edge_type', 'edge_type_mismatch'];

/** Codes of whatever answers what is stored. */
export const OF_CONTENT: readonly ErrorCode[] = ['key_unavailable', 'content_unreadable', 'checksum_mismatch'];

/** Codes of every write. */
export const OF_WRITES: readonly ErrorCode[] = [
  'idempotency_conflict',
  'delete_in_progress',
  'write_contended',
  'limit_exceeded',
  'outcome_unknown',
];
