import 'server-only';
import { ERRORS, ErrorCode, type Outcome } from '#gateway/contract/errors.ts';
import type { SpineStep } from '#server/contract/changes.ts';
import type { StoredChange, StoredReview } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import type { RolloutTurn } from '#server/db/rollout.ts';
import { type ReleaseFacts, type ReleaseStanding, shortWords } from './release-standing.ts';

interface SpineRelease extends ReleaseFacts {
  readonly byName: string;
  readonly selfApproved: boolean;
  readonly emergency: boolean;
  readonly reason: string;
}

/** Release facts that the spine ends with. */
export interface SpineEnd {
  readonly release: SpineRelease;
  readonly standing: ReleaseStanding;
  readonly firstRequest: FirstRequest | null;
  /** What its rollout did; empty when it went to all gateways at once. */
  readonly turns: readonly RolloutTurn[];
}

interface FirstRequest {
  readonly id: string;
  readonly atMs: number;
  readonly status: number;
  readonly code: string | null;
}

/** The first kept request under a release, for the last step of its spine. */
export async function readFirstRequest(db: Reader, release: number): Promise<FirstRequest | null> {
  const request = await db.requestRecord.findFirst({
    where: { release },
    orderBy: { at: 'asc' },
    select: { id: true, at: true, status: true, code: true },
  });
  return request === null ? null : { ...request, atMs: request.at.getTime() };
}

/** A change from its draft to the first request under its release. `end` is null until it is published. */
export function spineOfChange(change: StoredChange, end: SpineEnd | null): SpineStep[] {
  if (change.state === 'abandoned') {
    return [drafted(change), step({ what: 'Abandoned', atMs: change.abandonedAt?.getTime() ?? null, state: 'failed' })];
  }
  const steps = [drafted(change), sent(change), ...change.reviews.map(reviewed), approved(change)];
  return markCurrent([...steps, ...(end === null ? waitingEnd : endSteps(end))]);
}

/** A release that no change led to: from the act that published it. */
export function spineOfRelease(end: SpineEnd): SpineStep[] {
  return markCurrent(endSteps(end));
}

type Partial = Pick<SpineStep, 'what' | 'state'> & { [K in 'atMs' | 'who' | 'note' | 'href']?: SpineStep[K] };

function step({ atMs = null, who = null, note = null, href = null, ...rest }: Partial): SpineStep {
  return { atMs, who, note, href, ...rest };
}

function drafted(change: StoredChange): SpineStep {
  const href = `/changes/${change.number}`;
  return step({ what: 'Drafted', who: change.authorName, atMs: change.createdAt.getTime(), state: 'done', href });
}

function sent({ submittedAt, authorName }: StoredChange): SpineStep {
  if (submittedAt === null) return step({ what: 'Send to review', state: 'waiting' });
  return step({ what: 'Sent to review', who: authorName, atMs: submittedAt.getTime(), state: 'done' });
}

function reviewed(review: StoredReview): SpineStep {
  const notes = [
    review.comment,
    review.self ? 'self-approved' : '',
    review.voidedAt === null ? '' : 'void: it changed since',
  ].filter((note) => note !== '');
  const isStanding = review.verdict === 'approved' && review.voidedAt === null;
  return step({
    what: review.verdict === 'approved' ? 'Approved' : 'Asked for work',
    who: review.reviewerName,
    atMs: review.at.getTime(),
    note: notes.length === 0 ? null : notes.join(' · '),
    state: isStanding ? 'done' : 'failed',
  });
}

function approved({ approvedAt }: StoredChange): SpineStep {
  return approvedAt === null
    ? step({ what: 'All reviews given', state: 'waiting' })
    : step({ what: 'All reviews given', atMs: approvedAt.getTime(), state: 'done' });
}

const waitingEnd = [
  step({ what: 'Publish', state: 'waiting' }),
  step({ what: 'Live on every gateway', state: 'waiting' }),
  step({ what: 'First request', state: 'waiting' }),
];

function endSteps({ release, standing, firstRequest, turns }: SpineEnd): SpineStep[] {
  const published = step({
    what: `${release.emergency ? 'Emergency: published' : 'Published'} as r${release.number}`,
    who: release.byName,
    atMs: release.createdAt.getTime(),
    note: release.reason === '' ? null : release.reason,
    state: 'done',
    href: `/releases/${release.number}`,
  });
  const rolled = turns.map(({ what, who, note, atMs }) =>
    step({ what, who, note, atMs, state: what.startsWith('Halted') ? 'failed' : 'done' }),
  );
  return [published, ...rolled, liveStep(release, standing), requestStep(firstRequest), ...undoneStep(release)];
}

function undoneStep({ undoneBy }: SpineRelease): SpineStep[] {
  if (undoneBy === null) return [];
  return [step({ what: `Undone by r${undoneBy}`, state: 'failed', href: `/releases/${undoneBy}` })];
}

function liveStep(release: SpineRelease, standing: ReleaseStanding): SpineStep {
  if (release.allLiveAt !== null) {
    const after = standing.timeToAllLiveMs === null ? '' : `${shortWords(standing.timeToAllLiveMs)} after publishing`;
    return step({ what: 'Live on every gateway', atMs: release.allLiveAt.getTime(), note: after, state: 'done' });
  }
  return step({ what: 'Live on every gateway', note: standing.state, state: standing.isTarget ? 'waiting' : 'failed' });
}

function requestStep(request: FirstRequest | null): SpineStep {
  if (request === null) return step({ what: 'First request', state: 'waiting' });
  return step({
    what: `First request ${endOf(request.code)}`,
    note: request.code === null ? String(request.status) : `${request.status} ${request.code}`,
    atMs: request.atMs,
    state: 'done',
    href: `/requests/${request.id}`,
  });
}

const ENDS: { readonly [outcome in Outcome]?: string } = { served: 'served', notFound: 'answered', failed: 'failed' };

/** How a request ended: one about what is not stored was answered, not refused. */
function endOf(code: string | null): string {
  const known = ErrorCode.safeParse(code).data;
  return (code === null ? ENDS.served : known === undefined ? undefined : ENDS[ERRORS[known].outcome]) ?? 'refused';
}

/** The first step that waits is where things stand. */
function markCurrent(steps: readonly SpineStep[]): SpineStep[] {
  const current = steps.findIndex(({ state }) => state === 'waiting');
  return steps.map((one, index) => (index === current ? { ...one, state: 'current' } : one));
}
