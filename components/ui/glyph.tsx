import { cn } from './cn.ts';

/** The nine nouns of Habitat. Lucide icons are for verbs only. */
export type GlyphKind =
  | 'object'
  | 'edge'
  | 'policy'
  | 'tenant'
  | 'principal'
  | 'change'
  | 'release'
  | 'gateway'
  | 'request';

/** One stroke each on a 14 px grid; a round cap and a 1.25 px line hold all nine together. */
const PATHS: Readonly<Record<GlyphKind, string>> = {
  object: 'M7 1.5 12.5 7 7 12.5 1.5 7Z',
  edge: 'M1.5 7h11M8.5 3l4 4-4 4',
  policy:
    'M9.6 3.6C9.1 2.3 8.2 1.7 7 1.7c-1.5 0-2.5.8-2.5 2 0 2.7 5.4 2.1 5.4 4.9 0 1-.8 1.7-2 1.9M4.4 10.4c.5 1.3 1.4 1.9 2.6 1.9 1.5 0 2.5-.8 2.5-2 0-2.7-5.4-2.1-5.4-4.9 0-1 .8-1.7 2-1.9',
  tenant: 'M2 2h10v10H2ZM5 5h4v4H5Z',
  principal: 'M7 7.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM2 12.4c.5-2 2.4-3 5-3s4.5 1 5 3',
  change: 'M7 2 12.5 12h-11Z',
  release: 'M4.5 12V4.5M4.5 7.5c.4-2.1 2-3.2 5-3',
  gateway: 'M2 12.5V6.5L7 2l5 4.5v6M2 9.5h10',
  request: 'M1.5 4v6M4.5 7h8M9 3.5 12.5 7 9 10.5',
};

const NAMES: Readonly<Record<GlyphKind, string>> = {
  object: 'object type',
  edge: 'edge type',
  policy: 'policy',
  tenant: 'tenant',
  principal: 'principal',
  change: 'change',
  release: 'release',
  gateway: 'gateway',
  request: 'request',
};

interface GlyphProps {
  readonly kind: GlyphKind;
  /** Say the noun to a screen reader; leave out where the word stands beside the glyph. */
  readonly named?: boolean | undefined;
  readonly className?: string | undefined;
}

/** The mark of one noun, 14 px, in the colour of the text around it. */
export function Glyph({ kind, named = false, className }: GlyphProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: a title would pop up as a tooltip; the label says the same where it is named
    <svg
      viewBox="0 0 14 14"
      width="14"
      height="14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cn('inline-block shrink-0', className)}
      {...(named ? { role: 'img', 'aria-label': NAMES[kind] } : { 'aria-hidden': true })}
    >
      <path d={PATHS[kind]} />
    </svg>
  );
}
