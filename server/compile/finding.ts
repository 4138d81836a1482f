import type { Finding } from '#server/contract/changes.ts';
import type { FindingCode } from '#server/contract/rules.ts';

/** A finding as the checks make it: its code is one of the table. */
export interface CheckFinding extends Omit<Finding, 'code'> {
  readonly code: FindingCode;
}

/** A finding drawn from the traffic of a tenant. Whoever may not see that traffic reads `instead`, and no example. */
export interface TenantFinding extends CheckFinding {
  readonly tenant: string;
  readonly instead: string;
}

/** What a slow check found out. */
export interface Judgement {
  readonly findings: readonly (CheckFinding | TenantFinding)[];
  /** In one sentence, for everybody. */
  readonly summary: string;
}
