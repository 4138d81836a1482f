import type { GlyphKind } from '#components/ui/glyph.tsx';

interface PastedTarget {
  readonly label: string;
  readonly href: string;
  readonly glyph: GlyphKind;
}

/** Where a pasted id leads: a request id, `r42`, `∆31` or `#31`. The table of how pages write such things, read backwards. */
export function pastedTarget(text: string): PastedTarget | undefined {
  const id = text.trim();
  // A gateway's request id is a ULID (https://github.com/ulid/spec).
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/i.test(id))
    return { label: `Request ${id}`, href: `/requests/${encodeURIComponent(id)}`, glyph: 'request' };
  const release = /^r(\d{1,9})$/i.exec(id)?.[1];
  if (release !== undefined) return { label: `Release r${release}`, href: `/releases/${release}`, glyph: 'release' };
  const change = /^[∆Δ#](\d{1,9})$/.exec(id)?.[1];
  if (change !== undefined) return { label: `Change ∆${change}`, href: `/changes/${change}`, glyph: 'change' };
  return undefined;
}
