import type { Action } from '#gateway/contract/actions.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';

/** How far back use is kept and checks look. */
export const EVIDENCE_DAYS = 30;

/** How much one principal used one type in the last 30 days, refused requests included. */
export interface Use {
  readonly tenant: string;
  readonly principal: string;
  readonly type: string;
  readonly requests: number;
  readonly lastUsedMs: number;
}

/** One kept request, to be looked at. */
export interface Sample {
  readonly id: string;
  readonly operation: Operation;
}

/** Kept requests of one principal for one action on one type: all of what policy refused, a sample of what it let in. */
export interface KeptCalls {
  readonly tenant: string;
  readonly principal: string;
  readonly action: Action;
  readonly type: string;
  readonly wasForbidden: boolean;
  readonly count: number;
  readonly newest: Sample;
}

/** Served requests of one operation on one type and what they cost. */
export interface OperationCost {
  readonly type: string;
  readonly operation: Operation;
  readonly requests: number;
  readonly ru: number;
}

/** Ten seconds of one tenant. */
export interface Span {
  readonly atMs: number;
  readonly reads: number;
  readonly writes: number;
  readonly ru: number;
}

export interface TrafficEvidence {
  readonly uses: readonly Use[];
  readonly kept: readonly KeptCalls[];
}
