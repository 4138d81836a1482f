import 'server-only';
import { ACTIONS } from '#gateway/contract/actions.ts';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { canSeeTraffic } from '#server/auth/rights.ts';
import { checkPolicies } from '#server/compile/check-policies.ts';
import { createDecider, resourceOf, subjectOf } from '#server/compile/decide.ts';
import { byName, type Catalog } from '#server/compile/model.ts';
import type { Subject } from '#server/compile/subject.ts';
import type { Ctx } from '#server/context.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { usageOfType } from '#server/db/usage.ts';

type User = DefinitionDetail['users'][number];

/**
 * Every principal that policy lets do something with a type in its own tenant, decided under what is published, busiest
 * first. Figures of a tenant whose traffic the asker may not see are withheld, and said so.
 */
export async function typeUsers(ctx: Ctx, definition: Definition, catalog: Catalog): Promise<User[]> {
  if (definition.kind !== 'objectType' && definition.kind !== 'edgeType') return [];
  const usage = await usageOfType(ctx.db, definition.name, ctx.nowMs);
  // Cedar's sets are shared by the process: from here to the last decision nothing may wait.
  const decider = createDecider('after', checkPolicies(catalog, new Set()).policies);
  const resource = resourceOf(definition, catalog);
  const actions = ACTIONS.filter((action) => action.startsWith('edge.') === (definition.kind === 'edgeType'));
  const users = [...catalog.principal.values()].toSorted(byName).flatMap((principal): User[] => {
    const subject = subjectOf(principal, catalog);
    if (subject === null || principal.document.disabled) return [];
    const allowed = actions
      .map((action) => ({ action, ...decider.decide(subject, action, { resource, tenant: subject.tenant }) }))
      .filter(({ outcome }) => outcome !== 'deny');
    if (allowed.length === 0) return [];
    const policies = [...new Set(allowed.flatMap((one) => one.policies))].sort();
    return [
      { ...namesOf(subject), actions: allowed.map(({ action }) => action), policies, ...figures(ctx, subject, usage) },
    ];
  });
  return users.toSorted((a, b) => b.requests24h - a.requests24h);
}

function namesOf({ name, actorKind, tenant }: Subject) {
  return { principal: name, actorKind, tenant };
}

function figures(
  { actor }: Ctx,
  subject: Subject,
  usage: Awaited<ReturnType<typeof usageOfType>>,
): Pick<User, 'requests24h' | 'lastUsedMs' | 'trafficHidden'> {
  if (!canSeeTraffic(actor, subject.team)) return { requests24h: 0, lastUsedMs: null, trafficHidden: true };
  const own = usage.find(({ principal, tenant }) => principal === subject.name && tenant === subject.tenant);
  return { requests24h: own?.requests24h ?? 0, lastUsedMs: own?.lastUsedMs ?? null, trafficHidden: false };
}
