import 'server-only';
import type { Finding } from '#server/contract/changes.ts';
import { isOpen } from './change-states.ts';
import { blockedWords, namesOf, needInWords, publishersOf } from './permissions.ts';
import type { Standing } from './standing.ts';

interface WaitFacts {
  /** The sentence of its release. */
  readonly live: string | null;
  /** What its checks found, where that is known: what blocks comes first. A list does not check each of its changes. */
  readonly findings?: readonly Finding[] | undefined;
}

/** One line that says what an open change waits for and who can act. */
export function waitsFor(standing: Standing, { live, findings = [] }: WaitFacts): string {
  const usual = usualWait(standing, live);
  const blocked = isOpen(standing.state) ? blockedWords(findings) : null;
  if (blocked === null) return usual;
  if (standing.state !== 'draft') return `${usual} ${blocked}`;
  return `Waits for ${standing.author.name} to settle what blocks it. ${blocked}`;
}

function usualWait(standing: Standing, live: string | null): string {
  const { author, change, needs, state } = standing;
  switch (state) {
    case 'draft':
      return change.edits.length === 0
        ? `Waits for ${author.name} to add an edit.`
        : `Waits for ${author.name} to send it to review.`;
    case 'in review':
      return `Waits for ${needs
        .filter(({ given }) => !given)
        .map(needInWords)
        .join(' and ')}.`;
    case 'needs work':
      return `Waits for ${author.name} to change it${askedFor(standing)}`;
    case 'approved':
      return `Waits for ${namesOf(publishersOf(standing))} to publish it.`;
    case 'outdated':
      return `Waits for ${author.name} to bring it up to date: what it edits was published anew since.`;
    case 'published':
      return live ?? `Published as r${change.releaseNumber ?? '?'}.`;
    case 'undone':
      return `Undone by r${change.undoneBy ?? '?'}; its edits are a draft again.`;
    case 'abandoned':
      return 'Waits for nothing: it was abandoned.';
  }
}

function askedFor({ change }: Standing): string {
  const last = change.reviews.filter(({ verdict, voidedAt }) => verdict === 'needs work' && voidedAt === null).at(-1);
  return last === undefined || last.comment === '' ? '.' : `: “${last.comment}” (${last.reviewerName}).`;
}
