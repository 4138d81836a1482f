import { hasAnyRole } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import type { Possible } from '#server/contract/changes.ts';
import type { RollbackMode } from '#server/contract/rollouts.ts';

interface Makers {
  readonly number: number;
  readonly byId: string;
  readonly approvedById: string | null;
  readonly authorId: string | null;
}

/** Operators, security and admins act on releases, on call as at the desk. */
export function canRunReleases(actor: Actor): boolean {
  return hasAnyRole(actor, 'operator', 'security', 'admin');
}

/** Whoever made a release may take back what it did; everything at once is for those on call. */
export function mayRollBack(actor: Actor, mode: RollbackMode, { byId, approvedById, authorId }: Makers): Possible {
  if (canRunReleases(actor)) return { may: true, why: '' };
  const isMaker = [byId, approvedById, authorId].includes(actor.id);
  if (mode === 'undo' && isMaker) return { may: true, why: '' };
  const why =
    mode === 'undo'
      ? 'Its author, its approver, operators, security and admins undo a release.'
      : 'Operators, security and admins return everything to a release.';
  return { may: false, why };
}

/** The right to move a rollout, to freeze and to set the rules. */
export function mayRunReleases(actor: Actor, act: string): Possible {
  if (canRunReleases(actor)) return { may: true, why: '' };
  return { may: false, why: `Operators, security and admins ${act}.` };
}
