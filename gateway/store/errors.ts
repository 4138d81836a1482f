import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import { BrokenAttempt } from './http/broken-attempt.ts';

/** What an attempt came to when it did not succeed. */
export type Fault =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly subStatus: number;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'broken'; readonly wasSent: boolean; readonly message: string }
  /** The region did not answer lately, so it was not asked. */
  | { readonly kind: 'shut'; readonly region: string };

/** Replies after which a write certainly did not happen; after all others it may have. */
const DEFINITE = new Set([400, 401, 403, 404, 409, 412, 413, 429, 449]);
const PARTITION_FULL = 1_014;
/** Sub-statuses of 404: the container is missing; the replica has not reached the session token. */
const OWNER_MISSING = 1_003;
const NOT_YET_THERE = 1_002;
/** Sub-statuses of 403: the region takes no writes; the account is no longer in the region. */
const MOVED = new Set([3, 1_008]);

/**
 * Reads any value that the SDK throws; the SDK wraps a batch's error as the cause of another. What was thrown before a
 * byte was sent (the container could not be checked) says nothing about the attempt itself. Throws what neither the store
 * nor the network caused: a mistake of ours must not look like an outage.
 */
export function faultOf(thrown: unknown, wasSent: boolean): Fault {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof BrokenAttempt)
      return { kind: 'broken', wasSent: wasSent && error.wasSent, message: error.message };
    if (!('code' in error) || typeof error.code !== 'number') continue;
    if (!wasSent) return { kind: 'broken', wasSent, message: error.message };
    return {
      kind: 'reply',
      status: error.code,
      subStatus: numberIn(error, 'substatus') ?? 0,
      retryAfterMs: numberIn(error, 'retryAfterInMs'),
    };
  }
  if (!wasSent) throw thrown;
  return { kind: 'broken', wasSent, message: thrown instanceof Error ? thrown.message : 'The store gave no reason.' };
}

export function isThrottled(fault: Fault): boolean {
  return fault.kind === 'reply' && (fault.status === 429 || fault.status === 449);
}

/** How long the store asked to wait; null when it did not say. */
export function askedWaitMs(fault: Fault): number | null {
  return fault.kind === 'reply' ? fault.retryAfterMs : null;
}

/** Whether a write that ended like this certainly did not happen. */
export function isDefinite(fault: Fault): boolean {
  switch (fault.kind) {
    case 'shut':
      return true;
    case 'broken':
      return !fault.wasSent;
    case 'reply':
      return DEFINITE.has(fault.status);
    default:
      return fault satisfies never;
  }
}

/** Whether the fault says that the region is unwell: no reply, 408, 410, 5xx. Throttling does not. */
export function isUnwell(fault: Fault): boolean {
  if (fault.kind !== 'reply') return fault.kind === 'broken';
  return fault.status >= 500 || fault.status === 408 || fault.status === 410;
}

/** Whether the replica that was asked has not reached the session token. */
export function isLagging(fault: Fault): boolean {
  return fault.kind === 'reply' && fault.status === 404 && fault.subStatus === NOT_YET_THERE;
}

/** Whether the region says that it is not the one to ask: the account's writes, or the account, moved. */
export function isMoved(fault: Fault): boolean {
  return fault.kind === 'reply' && fault.status === 403 && MOVED.has(fault.subStatus);
}

/** Whether the database or container is not there. */
export function isContainerMissing(fault: Fault): boolean {
  return fault.kind === 'reply' && fault.status === 404 && fault.subStatus === OWNER_MISSING;
}

/** The refusal for a fault that no retry is left for. Texts of the store stay inside. */
export function denialOf(fault: Fault): Denial {
  if (fault.kind === 'broken') return deny('store_unavailable', 'Cosmos DB cannot be reached.');
  if (fault.kind === 'shut') {
    const details = { region: fault.region };
    return deny('store_unavailable', `Cosmos DB did not answer in ${fault.region} just now.`, { details });
  }
  const { status, subStatus } = fault;
  if (isThrottled(fault)) {
    const wait = fault.retryAfterMs ?? 1_000;
    return deny('store_throttled', 'Cosmos DB throttles this partition.', { retryAfterMs: wait });
  }
  if (isContainerMissing(fault)) return deny('store_unavailable', 'The container of this placement does not exist.');
  if (isMoved(fault)) return deny('store_unavailable', 'The account is moving its writes to another region.');
  if (isLagging(fault))
    return deny('store_unavailable', 'No region of Cosmos DB has reached the state of this session.');
  if (status === 413) return deny('content_too_large', 'The item is larger than Cosmos DB stores (2 MB).');
  if (status === 403 && subStatus === PARTITION_FULL) {
    return deny('limit_exceeded', 'The object and its edges fill the 20 GB that Cosmos DB keeps together.');
  }
  if (status === 401 || status === 403) return deny('store_unavailable', 'Cosmos DB refuses the key of this gateway.');
  if (status === 400) return deny('internal', 'Cosmos DB refused a request that the gateway made.');
  return deny('store_unavailable', `Cosmos DB answered ${status}.`);
}

function numberIn(error: Error, name: string): number | null {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
