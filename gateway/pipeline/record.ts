import { ERRORS } from '#gateway/contract/errors.ts';
import { NO_TENANT, type RequestRecord } from '#gateway/contract/telemetry.ts';
import { namedKeyId } from './authenticate.ts';
import { type Denial, isDenial } from './denial.ts';
import type { Indexes, Lookup } from './indexes.ts';
import type { Reply } from './request.ts';
import type { Trace } from './trace.ts';

/** A finished request, and under which names it counts. */
export interface Finished {
  readonly record: RequestRecord;
  /** The tenant charged with it; NO_TENANT while nobody proved who they are. */
  readonly tenant: string;
  /** The registered type it was about: the edge type for edge operations. */
  readonly type: string | null;
  /** Further types that it used. Its time and cost count under `type` alone. */
  readonly otherTypes: readonly string[];
  /** Operations of it that may have left more of a type, by type. */
  readonly writes: ReadonlyMap<string, number>;
  /** Content that does not fit its type's schema: it was stored all the same, or refused. */
  readonly misfit: 'stored' | 'refused' | null;
}

export interface RecordPort {
  readonly gateway: string;
  readonly worker: number;
  finish(finished: Finished): void;
}

/**
 * The fixed-shape record of one request, made once the last byte went out. A name that no release knows is left out, so
 * that callers cannot make the number of names grow.
 */
export function finishedOf(
  trace: Trace,
  outcome: Reply | Denial,
  end: { readonly nowUs: number; readonly indexes: Indexes | null } & Pick<RecordPort, 'gateway' | 'worker'>,
): Finished {
  const denial = isDenial(outcome) ? outcome : null;
  const { mention, requestId, arrivedUs } = trace.incoming;
  const known = knownNames(trace, end.indexes);
  const record: RequestRecord = {
    id: requestId,
    atMs: trace.atMs,
    gateway: end.gateway,
    worker: end.worker,
    release: trace.release?.number ?? null,
    tenant: known.tenant,
    principal: trace.key?.principal.name ?? null,
    actorKind: trace.key?.principal.actorKind ?? null,
    keyId: trace.key?.id ?? namedKeyId(trace.incoming.authorization),
    operation: mention.operation,
    type: known.type,
    objectId: trace.target?.object.id ?? mention.id,
    edgeType: known.edgeType,
    status: isDenial(outcome) ? ERRORS[outcome.code].status : outcome.status,
    code: denial?.code ?? null,
    message: denial?.message ?? null,
    outcome: denial === null ? 'served' : ERRORS[denial.code].outcome,
    policy: denial?.policy ?? trace.policy,
    durationUs: Math.max(0, Math.round(end.nowUs - arrivedUs)),
    ru: trace.ru,
    stages: trace.stages,
    quota: trace.quota,
    cache: trace.cache,
    attempts: trace.attempts,
  };
  const tenant = trace.key === null ? NO_TENANT : (known.tenant ?? trace.key.principal.tenant);
  return { record, tenant, ...typesOf(trace), writes: writesOf(trace), misfit: misfitOf(trace, denial) };
}

const NONE: readonly string[] = [];
const NO_WRITES: ReadonlyMap<string, number> = new Map();

/** A commit is about its object, whatever it does there. */
function typesOf({ target }: Trace): Pick<Finished, 'type' | 'otherTypes'> {
  if (target === null) return { type: null, otherTypes: NONE };
  const isCommit = target.call.ask.operation === 'commit';
  const [first] = target.touches;
  if (!isCommit && first !== undefined && target.touches.length === 1)
    return { type: first.type.name, otherTypes: NONE };
  const touched = target.touches.map(({ type }) => type.name);
  const [type = null, ...otherTypes] = new Set(isCommit ? [target.objectType.name, ...touched] : touched);
  return { type, otherTypes };
}

function writesOf({ target }: Trace): ReadonlyMap<string, number> {
  if (target === null || target.touches.every(({ action }) => !action.endsWith('.write'))) return NO_WRITES;
  const writes = new Map<string, number>();
  for (const { action, type } of target.touches) {
    if (action.endsWith('.write')) writes.set(type.name, (writes.get(type.name) ?? 0) + 1);
  }
  return writes;
}

function misfitOf({ misfit }: Trace, denial: Denial | null): Finished['misfit'] {
  if (misfit === null) return null;
  return denial?.code === 'content_rejected' ? 'refused' : 'stored';
}

function knownNames({ incoming: { mention } }: Trace, indexes: Indexes | null) {
  const keep = (name: string | null, names: Lookup<unknown> | undefined) =>
    name !== null && names?.get(name) !== undefined ? name : null;
  return {
    tenant: keep(mention.tenant, indexes?.tenants),
    type: keep(mention.type, indexes?.objectTypes),
    edgeType: keep(mention.edgeType, indexes?.edgeTypes),
  };
}
