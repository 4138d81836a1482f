'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '#components/ui/cn.ts';
import { isCurrent, NAV, NAV_FOOT, type NavItem } from './nav-items.ts';
import { NavMark } from './nav-mark.tsx';
import { useShell } from './queries.ts';

interface NavListProps {
  readonly collapsed?: boolean | undefined;
  /** Called when a place is chosen; the drawer closes itself. */
  readonly onGo?: (() => void) | undefined;
}

/** Every place of the console, grouped by the work: the same list in the sidebar and in the drawer. */
export function NavList({ collapsed = false, onGo }: NavListProps) {
  return (
    <nav aria-label="Console" className="flex min-h-0 grow flex-col overflow-y-auto p-2">
      {NAV.map((group) => (
        <div key={group.title ?? 'top'} className="mb-2">
          {group.title !== undefined &&
            (collapsed ? (
              <div aria-hidden className="mx-1 my-2 h-px bg-line" />
            ) : (
              <h2 className="px-2.5 pt-2 pb-1 font-medium text-ink-3 text-meta">{group.title}</h2>
            ))}
          <ul>
            {group.items.map((item) => (
              <NavRow key={item.href} item={item} collapsed={collapsed} onGo={onGo} />
            ))}
          </ul>
        </div>
      ))}
      <ul className="mt-auto pt-2">
        {NAV_FOOT.map((item) => (
          <NavRow key={item.href} item={item} collapsed={collapsed} onGo={onGo} />
        ))}
      </ul>
    </nav>
  );
}

function NavRow({
  item,
  collapsed,
  onGo,
}: {
  readonly item: NavItem;
  readonly collapsed: boolean;
  readonly onGo: NavListProps['onGo'];
}) {
  const current = isCurrent(item.href, usePathname());
  const shell = useShell().data;
  const count = item.count === undefined ? 0 : (shell?.[item.count] ?? 0);
  return (
    <li>
      <Link
        href={item.href}
        prefetch={false}
        onClick={() => onGo?.()}
        aria-current={current ? 'page' : undefined}
        {...(collapsed ? { title: item.label } : {})}
        className={cn(
          'flex min-h-7 items-center gap-2 rounded-control border-l-2 px-2 focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
          current
            ? 'border-accent bg-accent-wash text-ink'
            : 'border-transparent text-ink-2 hover:bg-sunken hover:text-ink',
          collapsed && 'relative justify-center px-0',
        )}
      >
        {collapsed && <NavMark href={item.href} />}
        <span className={collapsed ? 'sr-only' : 'grow'}>
          {item.label}
          {count > 0 && <span className="sr-only">, </span>}
        </span>
        {count > 0 && (
          <span
            className={
              collapsed ? 'absolute top-0.5 right-0.5 size-1.5 rounded-[50%] bg-accent' : 'text-meta tabular-nums'
            }
          >
            <span className={collapsed ? 'sr-only' : undefined}>{count}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
