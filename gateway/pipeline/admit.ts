import type { Operation, RequestRecord } from '#gateway/contract/telemetry.ts';
import { type Denial, deny } from './denial.ts';
import { estimateRu } from './estimate.ts';
import type { TenantEntry } from './indexes.ts';
import type { Trace } from './trace.ts';
import type { Shaped } from './work.ts';

export type QuotaDimension = 'reads' | 'writes' | 'ru' | 'inFlight' | 'objectWrites';

/** What an admitted request holds of its tenant's quota until it is settled. */
export interface QuotaHold {
  readonly tenant: TenantEntry;
  readonly reservedRu: number;
}

export type QuotaAnswer = {
  /** The dimension that the reply's rate-limit fields speak of. */
  readonly state: NonNullable<RequestRecord['quota']>;
} & (
  | { readonly admitted: true; readonly hold: QuotaHold }
  | { readonly admitted: false; readonly dimension: QuotaDimension; readonly retryAfterMs: number }
);

export interface QuotaNeed {
  readonly kind: 'reads' | 'writes';
  /** How many reads or writes it counts as: each operation of a commit is one. */
  readonly operations: number;
  /** The object whose partition it writes; null for a read, and for a delete, which must get through to a busy object. */
  readonly object: string | null;
  readonly estimateRu: number;
}

export interface QuotaPort {
  admit(tenant: TenantEntry, need: QuotaNeed): QuotaAnswer;
  /** Gives back what was reserved too much, or books what was charged beyond. Once per hold. */
  settle(hold: QuotaHold, usedRu: number): void;
}

declare const admitted: unique symbol;
/** Leave to call the store once. Only `admit` makes one; the store stage takes nothing else. */
export interface Permit extends Shaped {
  readonly [admitted]: true;
  readonly hold: QuotaHold;
}

const WORDS = {
  reads: 'reads a second',
  writes: 'writes a second',
  ru: 'RU a second',
  inFlight: 'requests in flight',
  objectWrites: 'writes a second to one object',
} as const satisfies Record<QuotaDimension, string>;

/**
 * Takes one request and its estimated RU from the tenant's quota, and a write from what its object takes. Refuses with `quota_exceeded`; a tenant in shadow mode
 * is only counted. Whoever gets a permit must settle its hold.
 */
export function admit(shaped: Shaped, trace: Trace, quota: QuotaPort): Permit | Denial {
  const { tenant } = shaped.grant;
  const { work } = shaped;
  const kind = isWrite(work.operation) ? 'writes' : 'reads';
  const operations = work.operation === 'commit' ? work.parts.length : 1;
  const need: QuotaNeed = { kind, operations, object: writtenObject(shaped), estimateRu: estimateRu(work) };
  const answer = quota.admit(tenant, need);
  trace.quota = answer.state;
  if (answer.admitted) return { ...shaped, hold: answer.hold } as Permit;
  const { limitPerSecond } = answer.state;
  const message = `Tenant ${tenant.name} spent its quota of ${limitPerSecond} ${WORDS[answer.dimension]} on this gateway.`;
  return deny('quota_exceeded', message, {
    retryAfterMs: answer.retryAfterMs,
    details: { dimension: answer.dimension, limit: limitPerSecond },
  });
}

/** An inverse edge is written in the object at its other end, with its forward edge. */
function writtenObject({ work, grant }: Shaped): string | null {
  if (!isWrite(work.operation) || work.operation === 'object.delete') return null;
  const { tenant, type, id } = grant.object;
  const isElsewhere = 'rule' in work && 'toId' in work && work.rule.derivedFrom !== null;
  return JSON.stringify(isElsewhere ? [tenant, work.rule.to, work.toId] : [tenant, type, id]);
}

const READS: ReadonlySet<string> = new Set<Operation>(['object.get', 'edge.get', 'edge.count', 'edge.list']);

/** Whether an operation changes what is stored. */
export function isWrite(operation: Operation): boolean {
  return !READS.has(operation);
}
