import type { Action } from './actions.ts';
import type { ACTOR_KINDS } from './definitions/principal.ts';

/** The entity type by which Cedar knows an actor kind. */
export const ENTITY_OF_ACTOR = {
  service: 'Service',
  user: 'User',
  agent: 'Agent',
  operator: 'Operator',
} as const satisfies Record<(typeof ACTOR_KINDS)[number], string>;

/** The entity type of the resource that an action decides about; its id is the type's name. */
export function resourceEntityOf(action: Action): 'ObjectType' | 'EdgeType' {
  return action.startsWith('object.') ? 'ObjectType' : 'EdgeType';
}

/**
 * The Cedar schema (https://docs.cedarpolicy.com/schema/human-readable-schema.html) of every decision. Content is
 * opaque, so nothing here depends on an object: a decision is a function of principal, action, type, tenant and context.
 * `tenant` of a resource is the tenant of the request; `tenant` of a principal is its own, `team` owns that tenant.
 * An edge type has the classification of the object type it starts from.
 *
 * Two rules lie outside Cedar: without a matching permit the answer is deny, and a permit whose principal scope is not
 * an `Agent` (`principal is Agent`, `principal == Agent::"…"`) never applies to an agent.
 */
export const CEDAR_SCHEMA = `
entity Group;
entity Service, User, Agent, Operator in [Group] = { tenant: String, team: String };
entity ObjectType = { tenant: String, ownerTeam: String, classification: String };
entity EdgeType = { tenant: String, ownerTeam: String, classification: String, from: String, to: String };
action "object.read", "object.write", "object.delete" appliesTo {
  principal: [Service, User, Agent, Operator],
  resource: [ObjectType],
  context: { region: String, breakGlass: Bool }
};
action "edge.read", "edge.write", "edge.delete" appliesTo {
  principal: [Service, User, Agent, Operator],
  resource: [EdgeType],
  context: { region: String, breakGlass: Bool }
};
`;

/** Name of the policy that every installation is seeded with. */
export const STANDING_POLICY = 'team-owns-type';

/** A service may use the types of the team that owns its tenant, unless they are confidential or restricted. */
export const STANDING_POLICY_CEDAR = `permit (
  principal is Service,
  action,
  resource
) when {
  resource.tenant == principal.tenant &&
  resource.ownerTeam == principal.team &&
  !(["confidential", "restricted"].contains(resource.classification))
};`;
