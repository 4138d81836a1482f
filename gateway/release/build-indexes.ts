import type {
  EdgeTypeEntry,
  Indexes,
  KeyEntry,
  ObjectTypeEntry,
  PrincipalEntry,
  TenantEntry,
} from '#gateway/pipeline/indexes.ts';
import type { EdgeRule } from '#gateway/pipeline/store-port.ts';
import type { ReleaseContent } from './content.ts';
import { contentRule } from './content-rule.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';

/**
 * A release to what the request path reads. Pure. `slots` are the tenants' places in the shared quota table. A key whose
 * principal is not in the release is left out, so it authenticates nobody.
 */
export function buildIndexes({ id, sha256, items }: ReleaseContent, slots: Readonly<Record<string, number>>): Indexes {
  const principals = new Map<string, PrincipalEntry>(items.principal.map((one) => [one.name, one]));
  const edgeTypes = new Map<string, EdgeTypeItem>(items.edgeType.map((one) => [one.name, one]));
  const edgeEntries = items.edgeType.map((one) => edgeTypeEntry(one, edgeTypes));
  const mirrored = mirroredByType(edgeEntries);
  return {
    release: id,
    sha256,
    tenants: new Map(items.tenant.map((one) => [one.name, tenantEntry(one, slots)])),
    objectTypes: new Map(items.objectType.map((one) => [one.name, objectTypeEntry(one, mirrored)])),
    edgeTypes: new Map(edgeEntries.map((one) => [one.name, one])),
    keys: new Map(items.key.flatMap((one) => keyEntries(one, principals))),
    authenticated: new Map(),
    decisions: new Map(),
  };
}

function tenantEntry(
  { name, quotas, mode, ownerTeam }: ReleaseContent['items']['tenant'][number],
  slots: Readonly<Record<string, number>>,
): TenantEntry {
  const slot = slots[name];
  if (slot === undefined) throw new Error(`Tenant ${name} has no place in the quota table.`);
  return { name, quotas, mode, ownerTeam, slot };
}

function objectTypeEntry(
  one: ReleaseContent['items']['objectType'][number],
  mirrored: ReadonlyMap<string, readonly EdgeRule[]>,
): ObjectTypeEntry {
  const { name, maxBytes, audit } = one;
  return {
    name,
    maxBytes,
    audit,
    contentRule: contentRule(one.contentSchema),
    mirrored: mirrored.get(name) ?? [],
    lifecycle: lifecycleEntry(one),
  };
}

function mirroredByType(entries: readonly EdgeTypeEntry[]): ReadonlyMap<string, readonly EdgeRule[]> {
  const found = entries.map(({ rule }) => rule).filter((rule) => rule.inverse !== null || rule.derivedFrom !== null);
  return Map.groupBy(found, (rule) => rule.from);
}

type EdgeTypeItem = ReleaseContent['items']['edgeType'][number];

function edgeTypeEntry(one: EdgeTypeItem, all: ReadonlyMap<string, EdgeTypeItem>): EdgeTypeEntry {
  const { name, listCap, dataMaxBytes, audit } = one;
  const forward = one.derivedFrom === undefined ? undefined : all.get(one.derivedFrom);
  return {
    name,
    rule: ruleOf(one, forward === undefined ? null : ruleOf(forward, null)),
    listCap,
    dataMaxBytes,
    audit,
    lifecycle: lifecycleEntry(one),
  };
}

function ruleOf(one: EdgeTypeItem, forward: EdgeRule | null): EdgeRule {
  const { name, from, to, cardinality, maxEdges } = one;
  const derivedFrom = one.derivedFrom ?? null;
  return { edgeType: name, from, to, cardinality, maxEdges, inverse: one.inverse ?? null, derivedFrom, forward };
}

function keyEntries(
  { id, principal, secretSha256, expiresAtMs }: ReleaseContent['items']['key'][number],
  principals: ReadonlyMap<string, PrincipalEntry>,
): [string, KeyEntry][] {
  const owner = principals.get(principal);
  return owner === undefined ? [] : [[id, { id, principal: owner, secretSha256, expiresAtMs }]];
}
