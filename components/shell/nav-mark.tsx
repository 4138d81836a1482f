import { Glyph, type GlyphKind } from '#components/ui/glyph.tsx';

/** Places named for a noun carry its glyph in the collapsed sidebar; the others have a mark of the same hand. */
const NOUNS: Readonly<Record<string, GlyphKind>> = {
  '/types': 'object',
  '/policies': 'policy',
  '/tenants': 'tenant',
  '/changes': 'change',
  '/releases': 'release',
  '/gateways': 'gateway',
  '/requests': 'request',
};

const PATHS: Readonly<Record<string, string>> = {
  '/': 'M2 3.5h10M2 7h7M2 10.5h5',
  '/inbox': 'M2 8V2.5h10V8M2 8v4h10V8H9c0 1.2-.8 2-2 2s-2-.8-2-2Z',
  '/latency': 'M1.5 10.5 4 8l2 1.5L8.5 3l1.5 5 2.5-1',
  '/audit': 'M3 2h8v10H3ZM5 5h4M5 7.5h4',
  '/errors': 'M4.5 3 1.5 7l3 4M9.5 3l3 4-3 4',
  '/settings': 'M1.5 4h6M10 4h2.5M1.5 10H4M6.5 10h6M8.75 2.5v3M5.25 8.5v3',
};

/** The 14 px mark of a place, for the collapsed sidebar and the bottom bar. */
export function NavMark({ href }: { readonly href: string }) {
  const noun = NOUNS[href];
  if (noun !== undefined) return <Glyph kind={noun} />;
  return (
    <svg
      viewBox="0 0 14 14"
      width="14"
      height="14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={PATHS[href] ?? ''} />
    </svg>
  );
}
