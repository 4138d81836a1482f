/** The cross of close buttons. */
export function CloseIcon() {
  return (
    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden>
      <path d="m3 3 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinecap="round" />
    </svg>
  );
}
