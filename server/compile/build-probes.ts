import { ACTIONS } from '#gateway/contract/actions.ts';
import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import type { SectionOf } from '#gateway/contract/release.ts';
import { type Decider, resourceOf, subjectOf } from './decide.ts';
import { byName, type Catalog } from './model.ts';
import type { Resource } from './subject.ts';

type Probe = SectionOf<'probe'>['items'][number];

/** Probes in one release: enough to notice a gateway that decides otherwise, few enough to run before each swap. */
export const MAX_PROBES = 50;
/** Types looked at for one principal's probes. */
const MAX_TYPES = 200;

/**
 * For each principal (by name) its first allowed and its first denied action in its own tenant, as decided here. A
 * decision that depends on the context is no probe: gateways stand in different regions.
 */
export function buildProbes(catalog: Catalog, decider: Decider): Probe[] {
  const types = [...catalog.objectType.values(), ...catalog.edgeType.values()].toSorted(byName).slice(0, MAX_TYPES);
  const resources = types.map((type) => resourceOf(type, catalog));
  const probes: Probe[] = [];
  for (const principal of [...catalog.principal.values()].toSorted(byName)) {
    if (probes.length + 2 > MAX_PROBES) break;
    if (!principal.document.disabled) probes.push(...probesOf(principal, { catalog, decider, resources }));
  }
  return probes;
}

function probesOf(
  principal: DefinitionOf<'principal'>,
  within: { readonly catalog: Catalog; readonly decider: Decider; readonly resources: readonly Resource[] },
): readonly Probe[] {
  const subject = subjectOf(principal, within.catalog);
  if (subject === null) return [];
  const found = new Map<'allow' | 'deny', Probe>();
  const { tenant } = principal.document;
  for (const resource of within.resources) {
    for (const action of ACTIONS.filter((one) => one.startsWith('edge.') === (resource.kind === 'edgeType'))) {
      const { outcome } = within.decider.decide(subject, action, { resource, tenant });
      if (outcome === 'conditional' || found.has(outcome)) continue;
      found.set(outcome, { principal: principal.name, tenant, action, resource: resource.name, expect: outcome });
    }
    if (found.size === 2) break;
  }
  return [...found.values()];
}
