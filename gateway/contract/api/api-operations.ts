import type { ErrorCode } from '../errors.ts';
import type { ApiOperation } from './api-operation.ts';
import { edgeChangeType, edgeCount, edgeDelete, edgeGet, edgeGetByIds, edgeList, edgePut } from './edge-operations.ts';
import { batch, commit } from './joint-operations.ts';
import { objectCreate, objectDelete, objectGet, objectPut } from './object-operations.ts';
import { COMMON_CODES } from './shared-errors.ts';

/**
 * Every call of the data API. Their examples, made in this order on an empty tenant `chat` with the types Conversation and Message
 * and the edge types messages and archived, are answered as they say.
 */
export const API_OPERATIONS: readonly ApiOperation[] = [
  objectPut,
  objectCreate,
  objectGet,
  edgePut,
  edgeGet,
  edgeGetByIds,
  edgeList,
  edgeCount,
  edgeChangeType,
  commit,
  batch,
  edgeDelete,
  objectDelete,
];

/** Every code that a call may be refused with. */
export function codesOf({ errors }: ApiOperation): readonly ErrorCode[] {
  return [...new Set([...COMMON_CODES, ...errors])];
}
