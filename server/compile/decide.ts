import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import type { Action } from '#gateway/contract/actions.ts';
import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { ENTITY_OF_ACTOR, resourceEntityOf } from '#gateway/contract/policy-model.ts';
import { type DecisionClasses, decisionClasses } from './decision-class.ts';
import type { Catalog } from './model.ts';
import type { ReadPolicy } from './read-policy.ts';
import type { Resource, Subject } from './subject.ts';

export interface Decision {
  /** `conditional`: a policy that could apply reads the context, so the answer differs from call to call. */
  readonly outcome: 'allow' | 'deny' | 'conditional';
  /** What gateways answer to a call that comes from no region and without break-glass. */
  readonly plain: 'allow' | 'deny';
  /** The policies that decided; empty when nothing permits it. */
  readonly policies: readonly string[];
}

export interface Decider {
  /** What its policies cannot tell apart. */
  readonly classes: DecisionClasses;
  /** Decides one action on data of `tenant`. */
  decide(subject: Subject, action: Action, at: { readonly resource: Resource; readonly tenant: string }): Decision;
}

/**
 * Decides as the gateway does, under the policies given, from outside any region and without break-glass. Policy sets are
 * parsed once into Cedar's cache under `slot`; nothing frees a set, so the slots are few and each new decider of a slot
 * replaces the one before: use a decider only synchronously after making it.
 */
export function createDecider(slot: 'before' | 'after', policies: readonly ReadPolicy[]): Decider {
  const sets = {
    all: parse(`${slot}:all`, policies),
    agents: parse(
      `${slot}:agents`,
      policies.filter(({ reachesAgents }) => reachesAgents),
    ),
    contextual: parseScopes(
      `${slot}:contextual`,
      policies.filter(({ readsContext }) => readsContext),
    ),
    contextualAgents: parseScopes(
      `${slot}:contextual-agents`,
      policies.filter(({ readsContext, reachesAgents }) => readsContext && reachesAgents),
    ),
  };
  const classes = decisionClasses(policies);
  const memo = new Map<string, Decision>();
  return {
    classes,
    decide(subject, action, { resource, tenant }) {
      const key = classes.ofCall(subject, action, { resource, tenant });
      const known = memo.get(key);
      if (known !== undefined) return known;
      const call = callOf(subject, action, { resource, tenant });
      const isAgent = subject.actorKind === 'agent';
      const depends = ask(isAgent ? sets.contextualAgents : sets.contextual, call).outcome === 'allow';
      const decision = ask(isAgent ? sets.agents : sets.all, call);
      const answer: Decision = depends ? { ...decision, outcome: 'conditional' } : decision;
      memo.set(key, answer);
      return answer;
    },
  };
}

/** A subject from its definition; null when its tenant does not exist. */
export function subjectOf(principal: DefinitionOf<'principal'>, catalog: Catalog): Subject | null {
  const tenant = catalog.tenant.get(principal.document.tenant);
  if (tenant === undefined) return null;
  const { actorKind, groups } = principal.document;
  return { name: principal.name, actorKind, tenant: tenant.name, team: tenant.document.ownerTeam, groups };
}

/** A resource from its definition. An edge type has the classification of the object type it starts from. */
export function resourceOf(type: DefinitionOf<'objectType'> | DefinitionOf<'edgeType'>, catalog: Catalog): Resource {
  if (type.kind === 'objectType') {
    const { ownerTeam, classification } = type.document;
    return { kind: type.kind, name: type.name, ownerTeam, classification };
  }
  const { ownerTeam, from, to } = type.document;
  // An end that is missing has a finding of its own; until it is mended the strictest class stands in.
  const classification = catalog.objectType.get(from)?.document.classification ?? 'restricted';
  return { kind: type.kind, name: type.name, ownerTeam, classification, from, to };
}

function callOf(
  subject: Subject,
  action: Action,
  { resource, tenant }: { readonly resource: Resource; readonly tenant: string },
): Omit<cedar.StatefulAuthorizationCall, 'preparsedPolicySetId'> {
  const principal = { type: ENTITY_OF_ACTOR[subject.actorKind], id: subject.name };
  const target = { type: resourceEntityOf(action), id: resource.name };
  const { ownerTeam, classification, from = '', to = '' } = resource;
  return {
    principal,
    action: { type: 'Action', id: action },
    resource: target,
    context: { region: '', breakGlass: false },
    entities: [
      {
        uid: principal,
        attrs: { tenant: subject.tenant, team: subject.team },
        parents: subject.groups.map((id) => ({ type: 'Group', id })),
      },
      {
        uid: target,
        attrs: { tenant, ownerTeam, classification, ...(resource.kind === 'edgeType' ? { from, to } : {}) },
        parents: [],
      },
    ],
  };
}

function ask(set: string | null, call: Omit<cedar.StatefulAuthorizationCall, 'preparsedPolicySetId'>): Decision {
  if (set === null) return { outcome: 'deny', plain: 'deny', policies: [] };
  const answer = cedar.statefulIsAuthorized({ ...call, preparsedPolicySetId: set });
  if (answer.type === 'failure') {
    throw new Error(`Cedar could not decide: ${answer.errors.map(({ message }) => message).join('; ')}`);
  }
  const { decision, diagnostics } = answer.response;
  return { outcome: decision, plain: decision, policies: [...diagnostics.reason].sort() };
}

function parse(id: string, policies: readonly ReadPolicy[]): string | null {
  return prepare(id, Object.fromEntries(policies.map((policy) => [policy.name, policy.json])));
}

/** The policies as permits without their conditions: what they could reach in some context. */
function parseScopes(id: string, policies: readonly ReadPolicy[]): string | null {
  const bare = policies.map(({ name, json }): [string, cedar.PolicyJson] => [
    name,
    { ...json, effect: 'permit', conditions: [] },
  ]);
  return prepare(id, Object.fromEntries(bare));
}

function prepare(id: string, staticPolicies: Record<string, cedar.Policy>): string | null {
  if (Object.keys(staticPolicies).length === 0) return null;
  const answer = cedar.preparsePolicySet(`habitat:${id}`, { staticPolicies });
  if (answer.type === 'failure') {
    throw new Error(`Cedar could not read the policies: ${answer.errors.map(({ message }) => message).join('; ')}`);
  }
  return `habitat:${id}`;
}
