import { ACTION_OF, type Action } from '#gateway/contract/actions.ts';
import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, deny } from './denial.ts';
import type { EdgeTypeEntry, Indexes, KeyEntry, ObjectTypeEntry, TenantEntry } from './indexes.ts';
import type { Ask, Call, EdgeAsk } from './request.ts';
import type { ObjectKey } from './store-port.ts';

/** What the request is about, every name found in the release. */
export interface Target {
  readonly call: Call;
  readonly key: KeyEntry;
  readonly tenant: TenantEntry;
  readonly objectType: ObjectTypeEntry;
  /** Set for edge operations. */
  readonly edge: EdgeTypeEntry | null;
  readonly object: ObjectKey;
  readonly action: Action;
  /** Name of the type that policy decides about and that audit rules come from. */
  readonly resource: string;
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
 * Checks every name of a request against the release, and that the edge type starts from the object's type.
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
  const edge = 'edgeType' in ask ? resolveEdge(ask, objectType, indexes) : null;
  if (edge !== null && 'kind' in edge) return edge;
  return {
    call,
    key,
    tenant,
    objectType,
    edge,
    object: { tenant: tenant.name, type: objectType.name, id: idOf(ask, { call, key, objectIds }) },
    action: ACTION_OF[ask.operation],
    resource: edge?.name ?? objectType.name,
  };
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

function resolveEdge(ask: EdgeAsk, objectType: ObjectTypeEntry, indexes: Indexes): EdgeTypeEntry | Denial {
  const edge = indexes.edgeTypes.get(ask.edgeType);
  if (edge === undefined) {
    const message = `No edge type "${clip(ask.edgeType)}" is registered in r${indexes.release.number}.`;
    return deny('unknown_edge_type', message);
  }
  const { from, to } = edge.rule;
  if (from !== objectType.name) {
    return deny(
      'edge_type_mismatch',
      `${edge.name} goes from ${from} to ${to}; it cannot start at ${objectType.name}.`,
      {
        details: { edgeType: edge.name, from, to, startsAt: objectType.name },
      },
    );
  }
  return edge;
}

/** A name as the caller wrote it may be anything; a message carries its beginning. */
function clip(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
