'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';

/** The row whose panel is open, kept in the URL as `row`; opening one pushes history so that Back closes it. */
export function useSelectedRow(): readonly [string | undefined, (key: string | undefined) => void] {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const select = (key: string | undefined) => {
    const params = new URLSearchParams(search);
    if (key === undefined) params.delete('row');
    else params.set('row', key);
    const query = params.toString();
    router.push(query === '' ? pathname : `${pathname}?${query}`, { scroll: false });
  };
  return [search.get('row') ?? undefined, select];
}
