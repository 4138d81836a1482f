import { ENTITY_OF_ACTOR, resourceEntityOf } from '#gateway/contract/policy-model.ts';
import { decisionKey, type PolicyAnswer, type PolicyQuestion } from '#gateway/policy/question.ts';
import { type Denial, deny } from './denial.ts';
import type { Indexes } from './indexes.ts';
import type { Target } from './resolve.ts';

/** Decisions remembered per release; beyond it the memory starts afresh, so that no caller can make it grow. */
const MAX_REMEMBERED = 100_000;

declare const granted: unique symbol;
/** A target that policy allows. Only `authorize` makes one. */
export interface Grant extends Target {
  readonly [granted]: true;
  /** The policy that permits it. */
  readonly policy: string | null;
}

export interface PolicyPort {
  /** Decides under the release that `indexes` was built from; the first decision of a combination is asynchronous. */
  decide(question: PolicyQuestion, indexes: Indexes): Promise<PolicyAnswer>;
}

/**
 * Asks policy, by a Map lookup once a combination was decided under this release. Default deny.
 * Refuses with `forbidden`, naming the policy when a forbid decided and what would be needed when nothing permits.
 */
export function authorize(
  target: Target,
  indexes: Indexes,
  policy: PolicyPort,
): Grant | Denial | Promise<Grant | Denial> {
  const question: PolicyQuestion = {
    principal: target.key.principal.name,
    tenant: target.tenant.name,
    action: target.action,
    resource: target.resource,
  };
  const known = indexes.decisions.get(decisionKey(question));
  if (known !== undefined) return conclude(target, known);
  return policy.decide(question, indexes).then((answer) => {
    remember(question, answer, indexes);
    return conclude(target, answer);
  });
}

function remember(question: PolicyQuestion, answer: PolicyAnswer, { decisions }: Indexes): void {
  if (decisions.size >= MAX_REMEMBERED) decisions.clear();
  decisions.set(decisionKey(question), answer);
}

function conclude(target: Target, answer: PolicyAnswer): Grant | Denial {
  if (answer.decision === 'allow') return { ...target, policy: answer.policies[0] ?? null } as Grant;
  const { principal } = target.key;
  const who = `${principal.name} (${principal.actorKind} principal of tenant ${principal.tenant})`;
  const what = `${target.action} on ${target.resource} in tenant ${target.tenant.name}`;
  const [policy] = answer.policies;
  if (policy !== undefined) {
    return deny('forbidden', `${who} may not ${what}: policy ${policy} forbids it.`, { policy });
  }
  const needed = {
    principal: `${ENTITY_OF_ACTOR[principal.actorKind]}::"${principal.name}"`,
    action: `Action::"${target.action}"`,
    resource: `${resourceEntityOf(target.action)}::"${target.resource}"`,
    tenant: target.tenant.name,
  };
  const message = `${who} may not ${what}: no policy permits it. Needed: a permit for ${needed.principal}, ${needed.action}, ${needed.resource}.`;
  return deny('forbidden', message, { details: { needed } });
}
