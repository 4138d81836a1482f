import type { AuditRow } from '#gateway/contract/audit.ts';
import { ERRORS, type ErrorCode } from '#gateway/contract/errors.ts';
import { isWrite, type Permit } from './admit.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { Reply } from './request.ts';
import type { Touch } from './resolve.ts';
import type { Trace } from './trace.ts';

/** An audit row before its stream numbers it. */
export type AuditDraft = Omit<AuditRow, 'seq'>;

export interface AuditPort {
  /** Appends one row to the spool; false when the spool cannot take it. */
  append(draft: AuditDraft): boolean;
  /** Appends a refusal, or folds it into the row of its like. */
  refuse(draft: AuditDraft): void;
  /** Whether the next read of a type with sampled reads is the one to write down. */
  isSampled(): boolean;
}

/**
 * Writes down what is about to be written, when the types' audit says so: a row for each thing that the request does. A write
 * whose intent cannot be written does not happen: refuses with `overloaded`.
 */
export function auditIntent(permit: Permit, trace: Trace, audit: AuditPort): Denial | null {
  if (!isWrite(permit.work.operation)) return null;
  const end = { code: null, status: null, policy: trace.policy };
  for (const touch of permit.grant.touches) {
    if (touch.type.audit.writes === 'none') continue;
    if (!audit.append({ ...draftOf(trace, 'intent', end), ...namesOf(touch) })) return unaudited();
    trace.intents.push(touch);
  }
  return null;
}

function unaudited(): Denial {
  return deny('overloaded', 'The audit log of this gateway cannot be written, and this write must be audited.', {
    retryAfterMs: 5_000,
  });
}

/** Writes the outcome of a write, one row for an audited read, or the refusal, before the reply goes out. */
export function auditOutcome(trace: Trace, outcome: Reply | Denial, audit: AuditPort, isAdmitted: boolean): void {
  const denial = isDenial(outcome) ? outcome : null;
  const end = {
    code: denial?.code ?? null,
    status: isDenial(outcome) ? ERRORS[outcome.code].status : outcome.status,
    policy: denial?.policy ?? trace.policy,
  };
  if (trace.intents.length > 0) {
    const draft = draftOf(trace, 'outcome', end);
    for (const touch of trace.intents) {
      audit.append({ ...draft, ...namesOf(touch), version: trace.versions.get(touch) ?? null });
    }
  } else if (denial !== null && !isAdmitted) {
    audit.refuse({ ...draftOf(trace, 'refusal', end), ...denial.about });
  } else if (isAdmitted && isReadToAudit(trace, audit)) {
    audit.append(draftOf(trace, 'read', end));
  }
}

function isReadToAudit({ target }: Trace, audit: AuditPort): boolean {
  if (target === null || isWrite(target.call.ask.operation)) return false;
  const reads = target.touches[0]?.type.audit.reads;
  return reads === 'all' || (reads === 'sampled' && audit.isSampled());
}

function namesOf({ operation, type, toId }: Touch): Pick<AuditDraft, 'operation' | 'edgeType' | 'toId'> {
  return { operation, edgeType: 'rule' in type ? type.name : null, toId };
}

interface End {
  readonly code: ErrorCode | null;
  readonly status: number | null;
  readonly policy: string | null;
}

function draftOf(trace: Trace, phase: AuditRow['phase'], end: End): AuditDraft {
  const { mention } = trace.incoming;
  return {
    atMs: trace.atMs,
    phase,
    requestId: trace.incoming.requestId,
    release: trace.release?.number ?? null,
    tenant: mention.tenant,
    principal: trace.key?.principal.name ?? null,
    actorKind: trace.key?.principal.actorKind ?? null,
    keyId: trace.key?.id ?? null,
    operation: mention.operation,
    type: mention.type,
    objectId: trace.target?.object.id ?? mention.id,
    edgeType: mention.edgeType,
    toId: mention.toId,
    ...end,
    version: null,
    count: 1,
  };
}
