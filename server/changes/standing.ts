import 'server-only';
import { teamOfCi } from '#server/auth/ci-actor.ts';
import { type Colleague, peopleWithRoles, type ReviewModes, readReviewModes } from '#server/auth/colleagues.ts';
import { canWriteChanges, hasAnyRole } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { Person } from '#server/contract/people.ts';
import type { StoredChange } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import { StoredState } from './change-states.ts';
import { isGiven, type Need, needsOf, reviews, writersOf } from './needs.ts';

/** A need and who can answer it. */
export interface StandingNeed extends Need {
  readonly given: boolean;
  readonly who: readonly Person[];
}

/** A change with everything that decides who may do what with it. */
export interface Standing {
  readonly change: StoredChange;
  /** As its needs stand at this moment. */
  readonly state: StoredState;
  readonly author: Person;
  readonly writers: ReadonlySet<string>;
  readonly needs: readonly StandingNeed[];
  /** Those whose approval stands. */
  readonly approvers: readonly Person[];
}

/** People and review modes, read once for any number of changes. */
export interface Reviewers {
  readonly people: readonly Colleague[];
  readonly modes: ReadonlyMap<string, ReviewModes>;
}

export async function readReviewers(db: Reader, ctx: Pick<Ctx, 'env'>): Promise<Reviewers> {
  const people = await peopleWithRoles(db, ['engineer', 'security', 'operator', 'admin'], ctx.env.adminGroup);
  return { people, modes: await readReviewModes(db) };
}

export function standingOf(change: StoredChange, reviewers: Reviewers): Standing {
  const writers = writersOf(change);
  const approvals = change.reviews.filter(({ verdict, voidedAt }) => verdict === 'approved' && voidedAt === null);
  const needs = needsOf(change.edits, reviewers.modes).map((one) => {
    // What widens in an emergency is never looked at by its writer alone, whatever the team's usual way.
    const need: Need = change.emergency ? { ...one, mode: 'second person' } : one;
    return {
      ...need,
      given: isGiven(need, change),
      who: whoReviews(need, writers, reviewers.people),
    };
  });
  return {
    change,
    state: stateNow(change, needs),
    author: { id: change.authorId, name: change.authorName },
    writers,
    needs,
    approvers: approvals.map(({ reviewerId, reviewerName }) => ({ id: reviewerId, name: reviewerName })),
  };
}

/**
 * A change in review or approved is what its needs say now, not what they said when it was stored: a team's review mode may
 * have become stricter or laxer since.
 */
function stateNow(change: StoredChange, needs: readonly StandingNeed[]): StoredState {
  const state = StoredState.parse(change.state);
  if (state !== 'in review' && state !== 'approved') return state;
  return needs.every(({ given }) => given) ? 'approved' : 'in review';
}

/** Whether this person may answer the need of this change now. */
export function mayAnswer(need: StandingNeed, actor: Person): boolean {
  return need.mode !== 'off' && need.who.some(({ id }) => id === actor.id);
}

/** The author, whoever shares a team with the author, and admins may edit. */
export function mayEdit({ author, writers }: Standing, actor: Ctx['actor'], reviewers: Reviewers): boolean {
  if (!canWriteChanges(actor)) return false;
  if (actor.id === author.id || writers.has(actor.id) || hasAnyRole(actor, 'admin')) return true;
  // A team's CI is no person, and its team edits what it wrote.
  const ciTeam = teamOfCi(author.id);
  const authorTeams = ciTeam === null ? (reviewers.people.find(({ id }) => id === author.id)?.teams ?? []) : [ciTeam];
  return actor.teams.some((team) => authorTeams.includes(team));
}

/**
 * The reviewers of a need: never a writer, unless the mode is `self with reason`. When nobody but writers could, an admin
 * who wrote none of it may.
 */
function whoReviews(need: Need, writers: ReadonlySet<string>, people: readonly Colleague[]): readonly Person[] {
  const isAllowed = ({ id }: Person) => need.mode === 'self with reason' || !writers.has(id);
  const regular = people.filter((person) => reviews(person, need) && isAllowed(person));
  const stand = regular.length > 0 ? regular : people.filter((one) => hasAnyRole(one, 'admin') && !writers.has(one.id));
  return stand.map(({ id, name }) => ({ id, name }));
}
