import {
  type EntityJson,
  type EntityUidJson,
  policyToJson,
  preparsePolicySet,
  preparseSchema,
  statefulIsAuthorized,
  validate,
} from '@cedar-policy/cedar-wasm/nodejs';
import { CEDAR_SCHEMA, ENTITY_OF_ACTOR, resourceEntityOf } from '#gateway/contract/policy-model.ts';
import type { SectionKind, SectionOf } from '#gateway/contract/release.ts';
import type { PolicyAnswer, PolicyQuestion } from './question.ts';

type Item<K extends SectionKind> = SectionOf<K>['items'][number];
type Find<K extends SectionKind> = (name: string) => Item<K> | undefined;

/** What of a release a decision depends on. */
export interface PolicyContent {
  readonly policies: readonly Item<'policy'>[];
  readonly objectType: Find<'objectType'>;
  readonly edgeType: Find<'edgeType'>;
  readonly tenant: Find<'tenant'>;
  readonly principal: Find<'principal'>;
}

export type Decide = (question: PolicyQuestion) => PolicyAnswer;

const SCHEMA = 'habitat';

/**
 * Prepares the policies of one release and returns their decision function, or a sentence that says which policy cannot
 * be read. Cedar keeps a prepared set for the life of the thread (nothing frees one), under `setId`.
 */
export function preparePolicies(setId: string, content: PolicyContent): { decide: Decide } | { problem: string } {
  const all = Object.fromEntries(content.policies.map(({ name, cedar }) => [name, cedar]));
  const problem = problemOf(all);
  if (problem !== null) return { problem };
  const forAgents = Object.fromEntries(Object.entries(all).filter(([, cedar]) => appliesToAgents(cedar)));
  preparsePolicySet(setId, { staticPolicies: all });
  preparsePolicySet(agentSet(setId), { staticPolicies: forAgents });
  return { decide: decideWith(setId, content) };
}

const agentSet = (setId: string) => `${setId}/agents`;

/** A release whose policies do not validate is refused whole: an error at decision time could hide a forbid. */
function problemOf(all: Record<string, string>): string | null {
  const schema = preparseSchema(SCHEMA, CEDAR_SCHEMA);
  if (schema.type === 'failure') return `The schema of policies cannot be read: ${schema.errors[0]?.message}`;
  const answer = validate({ schema: CEDAR_SCHEMA, policies: { staticPolicies: all } });
  if (answer.type === 'failure') return `A policy cannot be read: ${answer.errors[0]?.message}`;
  const [error] = answer.validationErrors;
  return error === undefined ? null : `Policy ${error.policyId} does not hold: ${error.error.message}`;
}

/** Agents get nothing from a permit that does not name them; every forbid binds them. */
function appliesToAgents(cedar: string): boolean {
  const parsed = policyToJson(cedar);
  if (parsed.type === 'failure') return false;
  const { effect, principal } = parsed.json;
  if (effect === 'forbid') return true;
  if (principal.op === 'is') return principal.entity_type === 'Agent';
  if (principal.op !== '==' || !('entity' in principal)) return false;
  const { entity } = principal;
  return ('__entity' in entity ? entity.__entity.type : entity.type) === 'Agent';
}

function decideWith(setId: string, content: PolicyContent): Decide {
  const resourceOf = resourcesOf(content);
  return (question) => {
    const principal = content.principal(question.principal);
    const resource = resourceOf(question);
    if (principal === undefined || resource === null) return { decision: 'deny', policies: [] };
    const who = { type: ENTITY_OF_ACTOR[principal.actorKind], id: principal.name };
    const groups = principal.groups.map((id) => ({ type: 'Group', id }));
    const attrs = { tenant: principal.tenant, team: content.tenant(principal.tenant)?.ownerTeam ?? '' };
    const answer = statefulIsAuthorized({
      principal: who,
      action: { type: 'Action', id: question.action },
      resource: resource.uid,
      context: { region: '', breakGlass: false },
      preparsedSchemaName: SCHEMA,
      preparsedPolicySetId: principal.actorKind === 'agent' ? agentSet(setId) : setId,
      entities: [
        { uid: who, attrs, parents: groups },
        ...groups.map((uid) => ({ uid, attrs: {}, parents: [] })),
        resource,
      ],
    });
    if (answer.type === 'failure') throw new Error(`Cedar could not decide: ${answer.errors[0]?.message}`);
    const { decision, diagnostics } = answer.response;
    // Validated policies cannot fail at run time; should one, the answer stays on the safe side.
    if (diagnostics.errors.length > 0) return { decision: 'deny', policies: [] };
    return { decision, policies: [...diagnostics.reason].sort() };
  };
}

type Resource = EntityJson & { readonly uid: EntityUidJson };

function resourcesOf(content: PolicyContent): (question: PolicyQuestion) => Resource | null {
  return ({ action, resource, tenant }) => {
    const uid = { type: resourceEntityOf(action), id: resource };
    const edge = uid.type === 'EdgeType' ? content.edgeType(resource) : undefined;
    const object = content.objectType(edge?.from ?? resource);
    if (object === undefined || (uid.type === 'EdgeType' && edge === undefined)) return null;
    const { classification } = object;
    const ends = edge === undefined ? {} : { from: edge.from, to: edge.to };
    return { uid, attrs: { tenant, ownerTeam: (edge ?? object).ownerTeam, classification, ...ends }, parents: [] };
  };
}
