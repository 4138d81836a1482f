import { Glyph, type GlyphKind } from './glyph.tsx';
import { Mark, type MarkKind } from './mark.tsx';
import { Time } from './time.tsx';
import { TONE_TEXT, type Tone } from './tone.ts';

/** One moment on the spine. */
export interface SpineEntry {
  readonly id: string;
  /** Epoch milliseconds; `undefined` for what has not happened yet. */
  readonly atMs: number | undefined;
  /** What stands in the place of the moment: how long after the first entry it was, where all are of one second. */
  readonly at?: React.ReactNode;
  /** What happened, as a sentence with tokens. */
  readonly what: React.ReactNode;
  /** The reason, a quoted comment, the finding; under the sentence. */
  readonly detail?: React.ReactNode;
  readonly tone?: Tone | undefined;
  /** The noun it is about, or a state mark. */
  readonly mark?: GlyphKind | { readonly state: MarkKind } | undefined;
}

interface SpineProps {
  readonly label: string;
  readonly entries: readonly SpineEntry[];
}

/** The one vertical timeline: the same in a change, a release, an alert and a request. */
export function Spine({ label, entries }: SpineProps) {
  return (
    <ol aria-label={label} className="grid">
      {entries.map((entry) => (
        <li key={entry.id} className="group grid grid-cols-[1.125rem_minmax(0,1fr)] gap-x-3">
          <div className="relative flex justify-center pt-1">
            {/* The line stops short of the mark on both sides, so that it works on any ground. */}
            <span aria-hidden className="absolute top-0 h-0.5 w-px bg-line group-first:hidden" />
            <span aria-hidden className="absolute top-6 bottom-0 w-px bg-line group-last:hidden" />
            <span
              className={`grid h-4.5 place-items-center ${TONE_TEXT[entry.tone ?? 'neutral']} ${entry.atMs === undefined ? 'opacity-60' : ''}`}
            >
              <SpineMark mark={entry.mark} />
            </span>
          </div>
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 pb-4 group-last:pb-0">
            <div className={`min-w-0 grow basis-60 text-prose ${entry.atMs === undefined ? 'text-ink-3' : ''}`}>
              {entry.what}
            </div>
            {entry.atMs !== undefined && (
              <span className="text-ink-3 text-meta">{entry.at ?? <Time ms={entry.atMs} style="moment" />}</span>
            )}
            {entry.detail !== undefined && <div className="basis-full text-ink-2">{entry.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function SpineMark({ mark }: { readonly mark: SpineEntry['mark'] }) {
  if (mark === undefined) return <Mark kind="dot" />;
  return typeof mark === 'string' ? <Glyph kind={mark} /> : <Mark kind={mark.state} />;
}
