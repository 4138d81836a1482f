import type { Finding } from '#server/contract/changes.ts';
import type { FindingCode } from '#server/contract/rules.ts';

/** A finding as the checks make it: its code is one of the table. */
export interface CheckFinding extends Omit<Finding, 'code'> {
  readonly code: FindingCode;
}
