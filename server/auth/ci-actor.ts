import 'server-only';
import type { Actor } from '#server/context.ts';

const CI_PREFIX = 'ci:';

/**
 * A team's CI as an actor: an engineer of that one team and nothing else. Its id stays the same from token to token, so
 * that a change goes on under a renewed one. It is no person, so it is never asked for a review.
 */
export function ciActor(team: string): Actor {
  return { id: `${CI_PREFIX}${team}`, name: `CI of ${team}`, email: '', roles: ['engineer'], teams: [team] };
}

/** The team whose CI an actor is by its id; null for a person. */
export function teamOfCi(actorId: string): string | null {
  return actorId.startsWith(CI_PREFIX) ? actorId.slice(CI_PREFIX.length) : null;
}
