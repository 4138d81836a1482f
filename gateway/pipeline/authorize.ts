import { ENTITY_OF_ACTOR, resourceEntityOf } from '#gateway/contract/policy-model.ts';
import { decisionKey, type PolicyAnswer, type PolicyQuestion } from '#gateway/policy/question.ts';
import { type Denial, deny } from './denial.ts';
import type { Indexes } from './indexes.ts';
import type { Target, Touch } from './resolve.ts';

/** Decisions remembered per release; beyond it the memory starts afresh, so that no caller can make it grow. */
const MAX_REMEMBERED = 100_000;

declare const granted: unique symbol;
/** A target that policy allows. Only `authorize` makes one. */
export interface Grant extends Target {
  readonly [granted]: true;
  /** The policy that permits the first thing that it does. */
  readonly policy: string | null;
}

export interface PolicyPort {
  /** Decides under the release that `indexes` was built from; the first decision of a combination is asynchronous. */
  decide(question: PolicyQuestion, indexes: Indexes): Promise<PolicyAnswer>;
}

/**
 * Asks policy about everything that the request does, by Map lookups once a combination was decided under this release.
 * Default deny.
 * Refuses with `forbidden`, naming the policy when a forbid decided and what would be needed when nothing permits.
 */
export function authorize(
  target: Target,
  indexes: Indexes,
  policy: PolicyPort,
): Grant | Denial | Promise<Grant | Denial> {
  const answers: PolicyAnswer[] = [];
  for (const touch of target.touches) {
    const known = indexes.decisions.get(decisionKey(questionOf(target, touch)));
    if (known === undefined) return askPolicy(target, indexes, policy);
    answers.push(known);
  }
  return conclude(target, answers);
}

async function askPolicy(target: Target, indexes: Indexes, policy: PolicyPort): Promise<Grant | Denial> {
  const answers: PolicyAnswer[] = [];
  for (const touch of target.touches) {
    const question = questionOf(target, touch);
    const answer = indexes.decisions.get(decisionKey(question)) ?? (await policy.decide(question, indexes));
    remember(question, answer, indexes);
    answers.push(answer);
  }
  return conclude(target, answers);
}

function questionOf({ key, tenant }: Target, { action, type }: Touch): PolicyQuestion {
  return { principal: key.principal.name, tenant: tenant.name, action, resource: type.name };
}

function remember(question: PolicyQuestion, answer: PolicyAnswer, { decisions }: Indexes): void {
  if (decisions.size >= MAX_REMEMBERED) decisions.clear();
  decisions.set(decisionKey(question), answer);
}

function conclude(target: Target, answers: readonly PolicyAnswer[]): Grant | Denial {
  const refused = answers.findIndex(({ decision }) => decision !== 'allow');
  const [answer, touch] = [answers[refused], target.touches[refused]];
  if (answer !== undefined && touch !== undefined) return refusal(target, touch, answer);
  return { ...target, policy: answers[0]?.policies[0] ?? null } as Grant;
}

function refusal(target: Target, { operation, action, type, toId }: Touch, answer: PolicyAnswer): Denial {
  const about = { operation, edgeType: 'rule' in type ? type.name : null, toId };
  const { principal } = target.key;
  const who = `${principal.name} (${principal.actorKind} principal of tenant ${principal.tenant})`;
  const what = `${action} on ${type.name} in tenant ${target.tenant.name}`;
  const [policy] = answer.policies;
  if (policy !== undefined) {
    return deny('forbidden', `${who} may not ${what}: policy ${policy} forbids it.`, { policy, about });
  }
  const needed = {
    principal: `${ENTITY_OF_ACTOR[principal.actorKind]}::"${principal.name}"`,
    action: `Action::"${action}"`,
    resource: `${resourceEntityOf(action)}::"${type.name}"`,
    tenant: target.tenant.name,
  };
  const message = `${who} may not ${what}: no policy permits it. Needed: a permit for ${needed.principal}, ${needed.action}, ${needed.resource}.`;
  return deny('forbidden', message, { details: { needed }, about });
}
