import { ACTIONS } from '#gateway/contract/actions.ts';
import { ENTITY_OF_ACTOR } from '#gateway/contract/policy-model.ts';
import { createDecider, resourceOf, subjectOf } from './decide.ts';
import type { CheckFinding } from './finding.ts';
import { type Catalog, keyOf } from './model.ts';
import { type ReadPolicy, readPolicy } from './read-policy.ts';
import { listInWords } from './words.ts';

export interface CheckedPolicies {
  /** Those that Cedar accepts, sorted by name. */
  readonly policies: readonly ReadPolicy[];
  readonly findings: readonly CheckFinding[];
}

/**
 * Reads every policy and checks the names in it (`policy_unknown_name`). Of edited ones also says when one lets everybody
 * do everything (`policy_always_allows`) or reaches nobody at present (`policy_reaches_nobody`).
 */
export function checkPolicies(catalog: Catalog, edited: ReadonlySet<string>): CheckedPolicies {
  const policies: ReadPolicy[] = [];
  const findings: CheckFinding[] = [];
  for (const definition of catalog.policy.values()) {
    const reading = readPolicy(definition);
    const warns = reading.findings.filter(({ severity }) => severity === 'error' || edited.has(definition.name));
    findings.push(...warns);
    if (reading.policy === null) continue;
    policies.push(reading.policy);
    findings.push(...unknownNames(reading.policy, catalog));
    if (edited.has(definition.name)) findings.push(...checkReach(reading.policy, catalog, warns));
  }
  policies.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { policies, findings };
}

const KIND_OF_ENTITY: Readonly<Record<string, 'objectType' | 'edgeType' | 'principal'>> = {
  ObjectType: 'objectType',
  EdgeType: 'edgeType',
  ...Object.fromEntries(Object.values(ENTITY_OF_ACTOR).map((entity) => [entity, 'principal'])),
};

const WORD_OF_KIND = { objectType: 'object type', edgeType: 'edge type', principal: 'principal' } as const;

function unknownNames(policy: ReadPolicy, catalog: Catalog): readonly CheckFinding[] {
  const seen = new Set<string>();
  return policy.names.flatMap(({ type, id }): readonly CheckFinding[] => {
    const kind = KIND_OF_ENTITY[type];
    if (kind === undefined || catalog.names.has(keyOf({ kind, name: id })) || seen.has(`${type} ${id}`)) return [];
    seen.add(`${type} ${id}`);
    const known = [...catalog[kind].keys()].sort();
    return [
      finding(policy, {
        code: 'policy_unknown_name',
        severity: 'error',
        message: `${type}::"${id}": there is no ${WORD_OF_KIND[kind]} ${id}.`,
        example: `Known: ${known.length === 0 ? 'none yet' : listInWords(known)}.`,
      }),
    ];
  });
}

function checkReach(policy: ReadPolicy, catalog: Catalog, warned: readonly CheckFinding[]): readonly CheckFinding[] {
  if (policy.isUnconditional) {
    const allows = policy.effect === 'permit';
    return [
      finding(policy, {
        code: allows ? 'policy_always_allows' : 'policy_always_forbids',
        severity: 'warning',
        message: allows
          ? 'It lets every service, user and operator principal of every tenant do everything with every type.'
          : 'It forbids everything to everybody; the gateway refuses every request.',
      }),
    ];
  }
  if (warned.some(({ code }) => code === 'policy_never_applies') || reachesAnybody(policy, catalog)) return [];
  return [
    finding(policy, {
      code: 'policy_reaches_nobody',
      severity: 'warning',
      message: `No principal and type of today meet it, so it ${policy.effect === 'permit' ? 'permits' : 'forbids'} nothing yet.`,
    }),
  ];
}

/** Asks about its scope and conditions alone, as if it were a permit; of what it cannot tell apart, once. */
function reachesAnybody(policy: ReadPolicy, catalog: Catalog): boolean {
  const alone = createDecider('after', [asPermit(policy)]);
  const types = [...catalog.objectType.values(), ...catalog.edgeType.values()].map((type) => resourceOf(type, catalog));
  const resources = new Map(types.map((resource) => [alone.classes.ofResource(resource), resource]));
  const found = [...catalog.principal.values()].flatMap((principal) => subjectOf(principal, catalog) ?? []);
  const subjects = new Map(found.map((subject) => [alone.classes.ofSubject(subject), subject]));
  const named = policy.literals.filter((literal) => catalog.tenant.has(literal));
  for (const subject of subjects.values()) {
    for (const tenant of new Set([subject.tenant, ...named, '\u0000other'])) {
      for (const resource of resources.values()) {
        const actions = ACTIONS.filter((action) => action.startsWith('edge.') === (resource.kind === 'edgeType'));
        const place = { resource, tenant };
        if (actions.some((action) => alone.decide(subject, action, place).outcome !== 'deny')) return true;
      }
    }
  }
  return false;
}

function asPermit(policy: ReadPolicy): ReadPolicy {
  return { ...policy, effect: 'permit', json: { ...policy.json, effect: 'permit' } };
}

function finding(
  { name }: ReadPolicy,
  says: Pick<CheckFinding, 'code' | 'severity' | 'message'> & { readonly example?: string },
): CheckFinding {
  return { kind: 'policy', name, path: 'cedar', ...says };
}
