import Link from 'next/link';
import { Children, useId } from 'react';
import { Mark, type MarkKind } from '#components/ui/mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { TONE_TEXT, type Tone } from '#components/ui/tone.ts';

interface HomeSectionProps {
  readonly title: string;
  /** Said when there is nothing. */
  readonly none: string;
  /** Nothing is the good state: it says so with a mark. */
  readonly isNoneGood?: boolean | undefined;
  readonly acts?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** One answer of the front page: its name at the left, its rows at the right, hairlines between. */
export function HomeSection({ title, none, isNoneGood = false, acts, children }: HomeSectionProps) {
  const id = useId();
  const isEmpty = Children.count(children) === 0;
  return (
    <section aria-labelledby={id} className="grid tablet:grid-cols-[8.5rem_minmax(0,1fr)]">
      <div className="flex items-baseline justify-between gap-2 px-4 pt-3 tablet:flex-col tablet:justify-start tablet:pb-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {acts}
      </div>
      {isEmpty ? (
        <p className="flex min-h-11 items-center gap-2 px-4 text-ink-2 tablet:pl-0">
          {isNoneGood && <Mark kind="check" className="text-ok" />}
          {none}
        </p>
      ) : (
        <ul className="min-w-0 divide-y divide-line">{children}</ul>
      )}
    </section>
  );
}

interface HomeRowProps {
  readonly href: string;
  readonly text: string;
  /** Null when no moment can be named. */
  readonly atMs: number | null;
  readonly mark: { readonly kind: MarkKind; readonly tone: Tone };
}

/** One thing to look at; the whole row leads there. */
export function HomeRow({ href, text, atMs, mark }: HomeRowProps) {
  return (
    <li>
      <Link
        href={href}
        prefetch={false}
        className="group flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-2 tablet:pl-0"
      >
        <Mark kind={mark.kind} className={TONE_TEXT[mark.tone]} />
        {/* A line may end in a dot between two parts, none begins with one. */}
        <span className="min-w-0 grow text-prose">{text.replaceAll(' · ', '\u00a0· ')}</span>
        {atMs !== null && <Time ms={atMs} style="ago" className="shrink-0 text-ink-3 text-meta" />}
        <span aria-hidden className="shrink-0 text-ink-3 group-hover:text-accent">
          →
        </span>
      </Link>
    </li>
  );
}
