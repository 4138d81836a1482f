'use client';

import { usePathname, useSearchParams } from 'next/navigation';

/** Parts of a change's page that its URL holds. */
interface ChangeUrlParts {
  readonly edit?: string | undefined;
  readonly tab?: string | undefined;
  readonly add?: string | undefined;
  readonly for?: string | undefined;
}

/** Which edit is open, and setting any part of the page's URL. A part that is undefined leaves it. Nothing is fetched for it. */
export function useChangeUrl() {
  const pathname = usePathname();
  const search = useSearchParams();
  const set = (parts: ChangeUrlParts) => {
    // The address bar, not the last render: two parts may be set one after the other.
    const params = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(parts)) {
      if (value === undefined) params.delete(key);
      else params.set(key, value);
    }
    const query = params.toString();
    window.history.pushState(null, '', query === '' ? pathname : `${pathname}?${query}`);
  };
  return { edit: search.get('edit') ?? undefined, set };
}
