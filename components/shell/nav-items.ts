/** One place of the console. */
export interface NavItem {
  readonly label: string;
  readonly href: string;
  /** Sequence that goes there. */
  readonly keys?: string | undefined;
  /** Which number of the shell stands beside it. */
  readonly count?: 'inboxCount' | 'openChanges' | undefined;
}

interface NavGroup {
  /** Undefined for the group without a heading. */
  readonly title: string | undefined;
  readonly items: readonly NavItem[];
}

/** What exists, in the order of the work: define, ship, run, prove. */
export const NAV: readonly NavGroup[] = [
  {
    title: undefined,
    items: [
      { label: 'Home', href: '/', keys: 'g h' },
      { label: 'Inbox', href: '/inbox', keys: 'g i', count: 'inboxCount' },
    ],
  },
  {
    title: 'Define',
    items: [
      { label: 'Types', href: '/types', keys: 'g t' },
      { label: 'Policies', href: '/policies', keys: 'g p' },
      { label: 'Tenants', href: '/tenants' },
    ],
  },
  {
    title: 'Ship',
    items: [
      { label: 'Changes', href: '/changes', keys: 'g c', count: 'openChanges' },
      { label: 'Releases', href: '/releases', keys: 'g r' },
      { label: 'Gateways', href: '/gateways', keys: 'g w' },
    ],
  },
  {
    title: 'Run',
    items: [
      { label: 'Latency', href: '/latency', keys: 'g l' },
      { label: 'Requests', href: '/requests' },
    ],
  },
  { title: 'Prove', items: [{ label: 'Audit', href: '/audit', keys: 'g a' }] },
];

export const NAV_FOOT: readonly NavItem[] = [
  { label: 'API & errors', href: '/errors' },
  { label: 'Settings', href: '/settings' },
];

export const ALL_NAV: readonly NavItem[] = [...NAV.flatMap(({ items }) => items), ...NAV_FOOT];

/** Whether a place is the one that is open, or holds it. */
export function isCurrent(href: string, pathname: string): boolean {
  return href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`);
}
