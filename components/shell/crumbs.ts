import { ALL_NAV } from './nav-items.ts';

interface Crumb {
  readonly label: string;
  readonly href: string;
}

/** How the number of a page is written: `/changes/31` is ∆31, `/releases/42` is r42. */
const PREFIX: Readonly<Record<string, string>> = { changes: '∆', releases: 'r' };

/** Parts of paths that are no page of their own: what stands in the way to a page instead, or null for nothing. */
const NO_PAGE: Readonly<Record<string, Crumb | null>> = {
  '/principals': { label: 'Tenants', href: '/tenants' },
  '/errors/operations': null,
};

/** The way to a page, from its path: `/latency/chat` → Latency, chat. */
export function crumbsOf(pathname: string): readonly Crumb[] {
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length === 0) return [{ label: 'Home', href: '/' }];
  return parts.flatMap((part, at) => {
    const href = `/${parts.slice(0, at + 1).join('/')}`;
    const instead = NO_PAGE[href];
    if (instead !== undefined) return instead ?? [];
    return { label: labelOf(part, href, parts[at - 1]), href };
  });
}

function labelOf(part: string, href: string, parent: string | undefined): string {
  const place = ALL_NAV.find((item) => item.href === href);
  if (place !== undefined) return place.label;
  if (href === '/changes/new') return 'New change';
  const text = decode(part);
  const prefix = PREFIX[parent ?? ''];
  if (prefix !== undefined && /^\d+$/.test(text)) return `${prefix}${text}`;
  return parent === undefined ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** A path that was typed by hand may hold a broken escape. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
