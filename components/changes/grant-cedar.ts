import type { Action } from '#gateway/contract/actions.ts';
import type { ACTOR_KINDS } from '#gateway/contract/definitions/principal.ts';
import { ENTITY_OF_ACTOR } from '#gateway/contract/policy-model.ts';

/** A grant (or a prohibition) as the form asks for it. */
export interface Grant {
  readonly effect: 'permit' | 'forbid';
  readonly who: {
    readonly by: 'principal' | 'group';
    readonly name: string;
    readonly actorKind: (typeof ACTOR_KINDS)[number];
  };
  /** At least one; `may` is the same verb for objects and edges. */
  readonly verbs: readonly GrantVerb[];
  readonly type: { readonly kind: 'objectType' | 'edgeType'; readonly name: string };
  /** The tenant whose data it is about; undefined means the principal's own. */
  readonly tenant: string | undefined;
}

export const GRANT_VERBS = ['read', 'write', 'delete'] as const;
export type GrantVerb = (typeof GRANT_VERBS)[number];

/**
 * The Cedar policy that a grant stands for. A group is always narrowed to one actor kind, since a permit reaches agents
 * only when it names them (policy-model.ts).
 */
export function grantCedar(grant: Grant): string {
  const actor = ENTITY_OF_ACTOR[grant.who.actorKind];
  const name = JSON.stringify(grant.who.name);
  const principal =
    grant.who.by === 'principal' ? `principal == ${actor}::${name}` : `principal is ${actor} in Group::${name}`;
  const family = grant.type.kind === 'objectType' ? 'object' : 'edge';
  const actions = grant.verbs.map((verb) => `Action::"${`${family}.${verb}` satisfies Action}"`);
  const action = actions.length === 1 ? `action == ${actions[0]}` : `action in [${actions.join(', ')}]`;
  const resource = `resource == ${family === 'object' ? 'ObjectType' : 'EdgeType'}::${JSON.stringify(grant.type.name)}`;
  const tenant = grant.tenant === undefined ? 'principal.tenant' : JSON.stringify(grant.tenant);
  return [
    `${grant.effect} (`,
    `  ${principal},`,
    `  ${action},`,
    `  ${resource}`,
    `) when { resource.tenant == ${tenant} };`,
  ].join('\n');
}

/** The same grant as a sentence, to start the policy's description from. */
export function grantSentence(grant: Grant): string {
  const who = grant.who.by === 'group' ? `Group ${grant.who.name}` : grant.who.name;
  const what = `${grant.verbs.join(', ').replace(/, ([^,]*)$/, ' and $1')} ${grant.type.name}`;
  const where = grant.tenant === undefined ? 'of its own tenant' : `of tenant ${grant.tenant}`;
  return `${who} ${grant.effect === 'permit' ? 'may' : 'must not'} ${what} ${where}.`;
}
