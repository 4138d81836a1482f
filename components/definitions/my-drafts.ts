import type { ChangeRow } from '#server/contract/changes.ts';

/** A change of mine that can still take an edit. */
export interface Draft {
  readonly number: number;
  readonly title: string;
  /** Whether it edits the definition that is looked at. */
  readonly touches: boolean;
}

interface Looking {
  /** Id of whoever looks; undefined until it is known. */
  readonly me: string | undefined;
  /** Open changes that touch the definition looked at. */
  readonly touching: readonly { readonly number: number }[];
}

/** My drafts among open changes, newest first, but those that touch what is looked at before all others. */
export function myDrafts(
  open: readonly Pick<ChangeRow, 'number' | 'title' | 'author' | 'state'>[],
  { me, touching }: Looking,
): readonly Draft[] {
  const near = new Set(touching.map(({ number }) => number));
  return open
    .filter(({ author, state }) => author.id === me && (state === 'draft' || state === 'needs work'))
    .map(({ number, title }) => ({ number, title, touches: near.has(number) }))
    .toSorted((a, b) => Number(b.touches) - Number(a.touches));
}
