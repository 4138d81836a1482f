'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

/** Parameters to set; `null` takes one away. */
export type UrlChange = Readonly<Record<string, string | null>>;

/**
 * The page's state in the URL. `set` pushes history, so that Back returns; nothing is asked of the server for it, since
 * the page's queries depend on the same parameters.
 */
export function useUrlState() {
  const pathname = usePathname();
  const search = useSearchParams();
  const set = useCallback(
    (change: UrlChange) => {
      const next = withParams(search, change).toString();
      window.history.pushState(null, '', next === '' ? pathname : `${pathname}?${next}`);
    },
    [pathname, search],
  );
  return { search, set };
}

/** A copy of the parameters with the change made. */
export function withParams(search: URLSearchParams, change: UrlChange): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
