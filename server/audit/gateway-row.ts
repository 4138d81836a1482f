import type { AuditRow } from '#gateway/contract/audit.ts';
import type { ErrorCode } from '#gateway/contract/errors.ts';
import type { NewAuditRow } from '#server/db/rows.ts';

/** How an actor kind reads on every page. */
const KIND_WORDS = {
  service: 'service principal',
  user: 'user principal',
  agent: 'agent',
  operator: 'operator principal',
} as const;

/** A gateway's row as the log keeps it: the words that pages show, beside every field it came with. */
export function auditDataOf(stream: string, row: AuditRow): NewAuditRow {
  const { seq, atMs, phase, requestId, release, tenant, operation, type, edgeType, objectId, toId, ...rest } = row;
  return {
    at: new Date(atMs),
    source: 'gateway',
    actor: row.principal ?? 'unknown caller',
    actorKind: row.actorKind === null ? 'unknown' : KIND_WORDS[row.actorKind],
    did: didOf(row),
    what: whatOf(row),
    href: phase === 'refusal' ? `/requests/${encodeURIComponent(requestId)}` : null,
    because: becauseOf(row),
    tenant,
    release,
    requestId,
    outcome: outcomeOf(row),
    count: rest.count,
    stream,
    seq,
    phase,
    keyId: rest.keyId,
    operation,
    type,
    objectId,
    edgeType,
    toId,
    code: rest.code,
    status: rest.status,
    policy: rest.policy,
    version: rest.version,
  };
}

function didOf({ phase, operation }: AuditRow): string {
  if (phase === 'refusal') return 'refused';
  if (operation === 'object.delete' || operation === 'edge.delete') return 'deleted';
  if (operation === 'edge.changeType') return 'moved';
  return phase === 'read' ? 'read' : 'wrote';
}

function whatOf({ operation, type, edgeType, objectId, toId }: AuditRow): string {
  if (operation === null || type === null) return 'a request';
  const object = [type, objectId].filter((part) => part !== null).join(' ');
  if (edgeType === null) return object;
  return `${edgeType} of ${object}${toId === null ? '' : ` to ${toId}`}`;
}

/** The rule that led to it. A policy's name is said with the release it was read from. */
function becauseOf({ phase, code, policy, release }: AuditRow): string | null {
  const under = release === null ? '' : ` @ r${release}`;
  if (policy !== null) return `${policy}${under}`;
  if (phase !== 'refusal' || code === null) return null;
  return `${CODE_WORDS[code] ?? code.replaceAll('_', ' ')}${under}`;
}

const CODE_WORDS: Partial<Record<ErrorCode, string>> = {
  forbidden: 'no policy permits it',
  unauthenticated: 'no live key',
  quota_exceeded: 'quota spent',
};

/** Null on an intent: whether it happened is said by the outcome of the same request. */
function outcomeOf({ phase, code }: AuditRow): string | null {
  return phase === 'intent' ? null : (code ?? 'done');
}
