import type { Definition, DefinitionKind, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import type { CheckFinding } from './finding.ts';
import { type Catalog, keyOf } from './model.ts';

/**
 * Names that must exist: owner teams, ends of edge types, inverses, tenants of principals. Also the pairing of inverses:
 * an inverse is an edge type of its own with swapped ends, cardinality many, no inverse, and belongs to one edge type.
 */
export function checkReferences(catalog: Catalog, teams: readonly string[]): readonly CheckFinding[] {
  const inverses = inverseOwners(catalog);
  return [
    ...[...catalog.objectType.values(), ...catalog.policy.values(), ...catalog.tenant.values()].flatMap((definition) =>
      checkOwner(definition, teams),
    ),
    ...[...catalog.edgeType.values()].flatMap((edgeType) => [
      ...checkOwner(edgeType, teams),
      ...checkEnds(edgeType, catalog),
      ...checkInverse(edgeType, catalog, inverses),
    ]),
    ...[...catalog.principal.values()].flatMap((principal) => [
      ...checkOwner(principal, teams),
      ...checkTenant(principal, catalog),
    ]),
  ];
}

function checkOwner(definition: Definition, teams: readonly string[]): readonly CheckFinding[] {
  const { ownerTeam } = definition.document;
  if (teams.includes(ownerTeam)) return [];
  return [
    error(definition, 'ownerTeam', {
      code: 'owner_unknown',
      message: `There is no team ${ownerTeam}.`,
      example: listed('Teams', teams),
    }),
  ];
}

function checkEnds(edgeType: DefinitionOf<'edgeType'>, catalog: Catalog): readonly CheckFinding[] {
  return (['from', 'to'] as const)
    .filter((end) => !exists(catalog, 'objectType', edgeType.document[end]))
    .map((end) =>
      error(edgeType, end, {
        code: 'end_unknown',
        message: `There is no object type ${edgeType.document[end]}.`,
        example: listed('Object types', [...catalog.objectType.keys()]),
      }),
    );
}

function checkInverse(
  edgeType: DefinitionOf<'edgeType'>,
  catalog: Catalog,
  owners: ReadonlyMap<string, readonly string[]>,
): readonly CheckFinding[] {
  const { name, document } = edgeType;
  const { inverse } = document;
  if (inverse === undefined) return [];
  const fault = (code: CheckFinding['code'], message: string) => error(edgeType, 'inverse', { code, message });
  if (inverse === name) return [fault('inverse_of_itself', `${name} cannot be its own inverse.`)];
  if (!exists(catalog, 'edgeType', inverse)) {
    return [
      fault('inverse_unknown', `There is no edge type ${inverse}. Add it from ${document.to} to ${document.from}.`),
    ];
  }
  const sharers = (owners.get(inverse) ?? []).filter((owner) => owner !== name);
  const shared = sharers.map((owner) =>
    fault('inverse_shared', `${inverse} is already the inverse of ${owner}. An inverse belongs to one edge type.`),
  );
  const other = catalog.edgeType.get(inverse);
  return other === undefined ? shared : [...shared, ...checkPair(edgeType, other)];
}

function checkPair(edgeType: DefinitionOf<'edgeType'>, inverse: DefinitionOf<'edgeType'>): readonly CheckFinding[] {
  const { document } = edgeType;
  const fault = (code: CheckFinding['code'], message: string) => error(edgeType, 'inverse', { code, message });
  const findings: CheckFinding[] = [];
  if (inverse.document.from !== document.to || inverse.document.to !== document.from) {
    findings.push(
      fault(
        'inverse_ends_differ',
        `${inverse.name} runs from ${inverse.document.from} to ${inverse.document.to}; as the inverse it runs from ${document.to} to ${document.from}.`,
      ),
    );
  }
  if (inverse.document.inverse !== undefined) {
    findings.push(fault('inverse_has_inverse', `${inverse.name} is an inverse, so it has no inverse of its own.`));
  }
  if (inverse.document.cardinality !== 'many') {
    findings.push(fault('inverse_not_many', `${inverse.name} is an inverse, so its cardinality is many.`));
  }
  return findings;
}

function checkTenant(principal: DefinitionOf<'principal'>, catalog: Catalog): readonly CheckFinding[] {
  const { tenant } = principal.document;
  if (exists(catalog, 'tenant', tenant)) return [];
  return [
    error(principal, 'tenant', {
      code: 'tenant_unknown',
      message: `There is no tenant ${tenant}.`,
      example: listed('Tenants', [...catalog.tenant.keys()]),
    }),
  ];
}

function inverseOwners(catalog: Catalog): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const { name, document } of catalog.edgeType.values()) {
    if (document.inverse === undefined) continue;
    owners.set(document.inverse, [...(owners.get(document.inverse) ?? []), name]);
  }
  return owners;
}

function exists(catalog: Catalog, kind: DefinitionKind, name: string): boolean {
  return catalog.names.has(keyOf({ kind, name }));
}

function listed(title: string, names: readonly string[]): string {
  if (names.length === 0) return `${title}: none yet.`;
  const shown = [...names].sort().slice(0, 6).join(', ');
  return `${title}: ${shown}${names.length > 6 ? ', …' : ''}.`;
}

function error(
  { kind, name }: { readonly kind: DefinitionKind; readonly name: string },
  path: string,
  says: Pick<CheckFinding, 'code' | 'message'> & { readonly example?: string },
): CheckFinding {
  return { severity: 'error', kind, name, path, ...says };
}
