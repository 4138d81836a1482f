import { Glyph, type GlyphKind } from './glyph.tsx';

interface PageHeadProps {
  /** The noun of a detail page; list pages have none. */
  readonly glyph?: GlyphKind | undefined;
  readonly title: React.ReactNode;
  /** State, classification and the like, right of the name: `<StateWord>` or plain words. */
  readonly state?: React.ReactNode;
  /** Acts at the right edge, the main one first. */
  readonly acts?: React.ReactNode;
  /** The lead: one to three `<Sentence>`s. */
  readonly children?: React.ReactNode;
}

/** The head of every page: what this is, what state it is in, what can be done, and the sentence that says it. */
export function PageHead({ glyph, title, state, acts, children }: PageHeadProps) {
  return (
    <header className="mb-6 grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 tablet:flex-nowrap">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
          <h1 className="inline-flex min-w-0 items-center gap-2 font-semibold text-title">
            {glyph !== undefined && <Glyph kind={glyph} className="size-4.5 text-accent" />}
            <bdi>{title}</bdi>
          </h1>
          {state !== undefined && <div className="text-ink-2">{state}</div>}
        </div>
        {acts !== undefined && (
          <div className="flex flex-wrap items-center gap-2 tablet:max-w-[60%] tablet:shrink-0 tablet:justify-end">
            {acts}
          </div>
        )}
      </div>
      {children}
    </header>
  );
}
