import { Sentence } from '#components/ui/sentence.tsx';
import { Time } from '#components/ui/time.tsx';
import type { StoredByType } from '#server/contract/definitions.ts';
import { largestWords, longestWords, storedWords } from './stored-words.ts';

interface StoredSentenceProps {
  /** Undefined where whoever asks may not see it. */
  readonly stored: StoredByType | null | undefined;
  /** Whose sum it is. */
  readonly over: string;
  /** Of an edge type: how many of its edges one object may have. */
  readonly mostEdges?: number | undefined;
}

/** What is stored, and as of when: gateways count it now and then, and what was written since is not in it. */
export function StoredSentence({ stored, over, mostEdges }: StoredSentenceProps) {
  if (stored === undefined) return null;
  if (stored === null) {
    return (
      <Sentence size="prose" className="text-ink-3">
        Stored: not counted yet. Gateways count once they serve, within minutes.
      </Sentence>
    );
  }
  return (
    <Sentence size="prose" className="text-ink-2">
      Stored: <span className="text-ink tabular-nums">{storedWords(stored)}</span>
      <span className="text-ink-3">
        {' '}
        ({over}, counted <Time ms={stored.asOfMs} style="ago" />)
        {stored.largestBytes != null &&
          `. The largest object takes ${largestWords(stored.largestBytes)} with its edges.`}
        {stored.longestList != null &&
          mostEdges !== undefined &&
          `. The object with most of them has ${longestWords(stored.longestList, mostEdges)}.`}
      </span>
    </Sentence>
  );
}
