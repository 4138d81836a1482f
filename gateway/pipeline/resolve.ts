import { ACTION_OF, type Action } from '#gateway/contract/actions.ts';
import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { EdgeTypeEntry, Indexes, KeyEntry, ObjectTypeEntry, TenantEntry } from './indexes.ts';
import type { Ask, Call, CommitAsk, PartAsk } from './request.ts';
import type { ObjectKey } from './store-port.ts';

/** One thing that a request does to an object or edge: policy decides about each, and the audit has a row for each. */
export interface Touch {
  readonly operation: Exclude<Operation, 'batch' | 'commit'>;
  readonly action: Action;
  /** The type that policy decides about and that audit rules come from. */
  readonly type: ObjectTypeEntry | EdgeTypeEntry;
  readonly toId: ObjectId | null;
}

/** What the request is about, every name found in the release. */
export interface Target {
  readonly call: Call;
  readonly key: KeyEntry;
  readonly tenant: TenantEntry;
  readonly objectType: ObjectTypeEntry;
  readonly object: ObjectKey;
  /** Every edge type that the request names. */
  readonly edges: ReadonlyMap<string, EdgeTypeEntry>;
  /** In the order of the request, at least one. */
  readonly touches: readonly Touch[];
}

/** Names objects that are created without an id. */
export interface ObjectIdPort {
  /** The same id for the same parts. */
  derived(parts: readonly string[]): ObjectId;
  fresh(): ObjectId;
}

export interface ResolvePorts {
  readonly indexes: Indexes;
  readonly objectIds: ObjectIdPort;
}

/**
 * Checks every name of a request against the release, and that its edge types start from the object's type.
 * Refuses with `unknown_tenant`, `unknown_type`, `unknown_edge_type`, `edge_type_mismatch`.
 */
export function resolve(call: Call, key: KeyEntry, { indexes, objectIds }: ResolvePorts): Target | Denial {
  const { ask } = call;
  const tenant = indexes.tenants.get(ask.tenant);
  const r = indexes.release.number;
  if (tenant === undefined) return deny('unknown_tenant', `No tenant "${clip(ask.tenant)}" is registered in r${r}.`);
  const objectType = indexes.objectTypes.get(ask.type);
  if (objectType === undefined) {
    return deny('unknown_type', `No object type "${clip(ask.type)}" is registered in r${r}.`);
  }
  const singles = singlesOf(ask);
  const edges = resolveEdges(singles, objectType, indexes);
  if (isDenial(edges)) return edges;
  const object = { tenant: tenant.name, type: objectType.name, id: idOf(ask, { call, key, objectIds }) };
  const touches = singles.flatMap((one) => touchesOf(one, { objectType, edges }));
  return { call, key, tenant, objectType, object, edges, touches };
}

/** An edge type that the request names. */
export function edgeNamed({ edges }: Pick<Target, 'edges'>, name: string): EdgeTypeEntry {
  const edge = edges.get(name);
  if (edge === undefined) throw new Error(`${name} was not resolved.`);
  return edge;
}

/** An operation by itself, or one of a commit's. */
type Single = Exclude<Ask, CommitAsk> | PartAsk;

function singlesOf(ask: Ask): readonly Single[] {
  return ask.operation === 'commit' ? ask.parts : [ask];
}

function edgeTypesOf(ask: Single): readonly string[] {
  if (!('edgeType' in ask)) return [];
  return ask.operation === 'edge.changeType' ? [ask.edgeType, ask.to] : [ask.edgeType];
}

function touchesOf(ask: Single, on: Pick<Target, 'objectType' | 'edges'>): readonly Touch[] {
  if (ask.operation === 'edge.changeType') {
    const { operation, edgeType, toId, to } = ask;
    return [
      { operation, action: 'edge.delete', type: edgeNamed(on, edgeType), toId },
      { operation, action: 'edge.write', type: edgeNamed(on, to), toId },
    ];
  }
  const type = 'edgeType' in ask ? edgeNamed(on, ask.edgeType) : on.objectType;
  const toId = 'toId' in ask ? ask.toId : null;
  return [{ operation: ask.operation, action: ACTION_OF[ask.operation], type, toId }];
}

interface Naming {
  readonly call: Call;
  readonly key: KeyEntry;
  readonly objectIds: ObjectIdPort;
}

function idOf(ask: Ask, { call, key, objectIds }: Naming): ObjectId {
  if (ask.operation !== 'object.create') return ask.id;
  const { idempotencyKey } = call;
  if (idempotencyKey === null) return objectIds.fresh();
  return objectIds.derived([ask.tenant, ask.type, key.principal.name, idempotencyKey]);
}

function resolveEdges(
  singles: readonly Single[],
  objectType: ObjectTypeEntry,
  indexes: Indexes,
): Target['edges'] | Denial {
  const edges = new Map<string, EdgeTypeEntry>();
  for (const single of singles) {
    for (const name of edgeTypesOf(single)) {
      if (edges.has(name)) continue;
      const edge = resolveEdge(name, objectType, indexes);
      if (isDenial(edge)) return edge;
      edges.set(name, edge);
    }
  }
  return edges;
}

function resolveEdge(name: string, objectType: ObjectTypeEntry, indexes: Indexes): EdgeTypeEntry | Denial {
  const edge = indexes.edgeTypes.get(name);
  if (edge === undefined) {
    const message = `No edge type "${clip(name)}" is registered in r${indexes.release.number}.`;
    return deny('unknown_edge_type', message);
  }
  const { from, to } = edge.rule;
  if (from === objectType.name) return edge;
  const message = `${edge.name} goes from ${from} to ${to}; it cannot start at ${objectType.name}.`;
  return deny('edge_type_mismatch', message, {
    details: { edgeType: edge.name, from, to, startsAt: objectType.name },
  });
}

/** A name as the caller wrote it may be anything; a message carries its beginning. */
function clip(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
