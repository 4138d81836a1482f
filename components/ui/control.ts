/** The look that every single-line control shares: an edge of at least 3:1, the page's own background, 32 px (44 on touch). */
export const CONTROL =
  'min-h-8 w-full rounded-control border border-edge bg-surface px-2.5 text-body text-ink placeholder:text-ink-3 ' +
  'hover:border-ink-3 aria-invalid:border-danger [&:is(input,textarea):read-only]:bg-sunken disabled:bg-sunken disabled:text-ink-3 pointer-coarse:min-h-11';
