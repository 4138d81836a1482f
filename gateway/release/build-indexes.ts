import type {
  EdgeTypeEntry,
  Indexes,
  KeyEntry,
  Lookup,
  ObjectTypeEntry,
  PrincipalEntry,
  TenantEntry,
} from '#gateway/pipeline/indexes.ts';
import type { EdgeRule } from '#gateway/pipeline/store-port.ts';
import { contentRule } from './content-rule.ts';
import { itemOf, type TableItem } from './items.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';
import type { LoadedRelease } from './source.ts';
import { openTable, type Table, type TableKind } from './table.ts';

/**
 * What the request path reads, over the table of a release. Costs the same whatever the release's size: an item is decoded
 * when it is first asked for. `slots` are the tenants' places in the shared quota table, in the order of the table. A key
 * whose principal is not in the release authenticates nobody.
 */
export function buildIndexes(
  { id, sha256, table: shared }: Omit<LoadedRelease, 'parseMs'>,
  slots: Int32Array,
): Indexes {
  const table = openTable(shared);
  const principals = lookup(table, 'principal', (at): PrincipalEntry => itemOf(table, 'principal', at));
  const edgeTypes = lookup(table, 'edgeType', (at) => edgeTypeEntry(itemOf(table, 'edgeType', at), table));
  return {
    release: id,
    sha256,
    tenants: lookup(table, 'tenant', (at) => tenantEntry(itemOf(table, 'tenant', at), slots[at])),
    objectTypes: lookup(table, 'objectType', (at) =>
      objectTypeEntry(itemOf(table, 'objectType', at), { table, edgeTypes }),
    ),
    edgeTypes,
    keys: lookup(table, 'key', (at) => keyEntry(itemOf(table, 'key', at), principals)),
    authenticated: new Map(),
    decisions: new Map(),
  };
}

/** Remembers what it decoded, never that something is not there: strangers choose those names. */
function lookup<T>(table: Table, kind: TableKind, decode: (at: number) => T | undefined): Lookup<T> {
  const decoded = new Map<string, T>();
  return {
    get: (name) => {
      const known = decoded.get(name);
      if (known !== undefined) return known;
      const at = table.find(kind, name);
      const entry = at < 0 ? undefined : decode(at);
      if (entry !== undefined) decoded.set(name, entry);
      return entry;
    },
  };
}

function tenantEntry({ name, quotas, mode, ownerTeam }: TableItem<'tenant'>, slot: number | undefined): TenantEntry {
  if (slot === undefined) throw new Error(`Tenant ${name} has no place in the quota table.`);
  return { name, quotas, mode, ownerTeam, slot };
}

function objectTypeEntry(
  one: TableItem<'objectType'>,
  { table, edgeTypes }: { readonly table: Table; readonly edgeTypes: Lookup<EdgeTypeEntry> },
): ObjectTypeEntry {
  const { name, maxBytes, audit } = one;
  const at = table.find('mirrored', name);
  const names = at < 0 ? [] : itemOf(table, 'mirrored', at);
  return {
    name,
    maxBytes,
    audit,
    cacheTtlMs: one.cache?.ttlMs ?? null,
    contentRule: contentRule(one.contentSchema),
    mirrored: names.flatMap((edgeType) => edgeTypes.get(edgeType)?.rule ?? []),
    lifecycle: lifecycleEntry(one),
  };
}

function edgeTypeEntry(one: TableItem<'edgeType'>, table: Table): EdgeTypeEntry {
  const { name, listCap, dataMaxBytes, audit } = one;
  const cacheTtlMs = one.cache?.ttlMs ?? null;
  const at = one.derivedFrom === undefined ? -1 : table.find('edgeType', one.derivedFrom);
  const forward = at < 0 ? null : ruleOf(itemOf(table, 'edgeType', at), null);
  const rule = ruleOf(one, forward);
  return { name, rule, listCap, dataMaxBytes, cacheTtlMs, audit, lifecycle: lifecycleEntry(one) };
}

function ruleOf(one: TableItem<'edgeType'>, forward: EdgeRule | null): EdgeRule {
  const { name, from, to, cardinality, maxEdges } = one;
  const derivedFrom = one.derivedFrom ?? null;
  return { edgeType: name, from, to, cardinality, maxEdges, inverse: one.inverse ?? null, derivedFrom, forward };
}

function keyEntry(
  { id, principal, secretSha256, expiresAtMs }: TableItem<'key'>,
  principals: Lookup<PrincipalEntry>,
): KeyEntry | undefined {
  const owner = principals.get(principal);
  return owner === undefined ? undefined : { id, principal: owner, secretSha256, expiresAtMs };
}
