/** The colour of a series beside its name. */
export function Swatch({ colour }: { readonly colour: string }) {
  return (
    <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden className="shrink-0">
      <rect width="8" height="8" rx="1" fill={colour} />
    </svg>
  );
}
