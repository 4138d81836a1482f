import 'server-only';
import { namesOf, needInWords, publishersOf } from './permissions.ts';
import type { Standing } from './standing.ts';

/** One line that says what an open change waits for and who can act. `live` is the sentence of its release. */
export function waitsFor(standing: Standing, live: string | null): string {
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
