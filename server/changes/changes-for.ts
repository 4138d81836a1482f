import 'server-only';
import type { Ctx } from '#server/context.ts';
import { listStoredChanges } from '#server/db/changes.ts';
import { OPEN_STATES } from '#server/publication/outdate-overlaps.ts';
import { mayAnswer, readReviewers, type Standing, standingOf } from './standing.ts';
import { waitsFor } from './waits-for.ts';

/** What a change asks of one person, in one sentence. */
export interface ChangeAsk {
  readonly number: number;
  readonly kind: 'review' | 'change';
  readonly text: string;
  readonly sinceMs: number;
}

/** Open changes looked through at once; who has more open changes than this has another problem. */
const LOOKED_THROUGH = 500;

/**
 * What open changes ask of the person: reviews that they may give, and their own changes that wait for them. Derived
 * from the changes themselves, so an ask is gone as soon as it is met.
 */
export async function changesFor(ctx: Ctx): Promise<readonly ChangeAsk[]> {
  const filter = { states: OPEN_STATES, words: undefined };
  const stored = await listStoredChanges(ctx.db, filter, { place: {}, isNewer: false, limit: LOOKED_THROUGH });
  if (stored.length === 0) return [];
  const reviewers = await readReviewers(ctx.db, ctx);
  return stored
    .map((change) => askOf(standingOf(change, reviewers), ctx.actor))
    .filter((ask) => ask !== null)
    .toSorted((a, b) => a.sinceMs - b.sinceMs);
}

function askOf(standing: Standing, actor: Ctx['actor']): ChangeAsk | null {
  const { change, state, needs, author } = standing;
  const { number } = change;
  const named = `∆${number} ${change.title}`;
  const sinceMs = change.updatedAt.getTime();
  if (state === 'in review') {
    const mine = needs.find((need) => !need.given && mayAnswer(need, actor));
    const submittedMs = (change.submittedAt ?? change.updatedAt).getTime();
    if (mine !== undefined) {
      const text = `${named} · ${author.name} asks for a review by ${mine.from}`;
      return { number, kind: 'review', text, sinceMs: submittedMs };
    }
  }
  if (author.id !== actor.id) return null;
  const voided = change.reviews.findLast((review) => review.voidedAt !== null && review.verdict === 'approved');
  if ((state === 'draft' || state === 'in review') && voided !== undefined) {
    const text = `${named} · the approval of ${voided.reviewerName} was voided by an edit`;
    return { number, kind: 'change', text, sinceMs: (voided.voidedAt ?? change.updatedAt).getTime() };
  }
  if (state === 'approved') {
    return {
      number,
      kind: 'change',
      text: `${named} · approved, publish it`,
      sinceMs: (change.approvedAt ?? change.updatedAt).getTime(),
    };
  }
  if (state !== 'needs work' && state !== 'outdated') return null;
  return { number, kind: 'change', text: `${named} · ${state}. ${waitsFor(standing, { live: null })}`, sinceMs };
}
