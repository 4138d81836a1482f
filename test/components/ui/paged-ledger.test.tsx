// @vitest-environment happy-dom
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListPage } from '#components/ui/list-place.ts';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(history, 'pushState').mockImplementation(() => undefined);
});
afterEach(() => {
  page?.close();
  page = undefined;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The page of a list of 131 that a cursor leads to, 50 rows each: *a*, *b*, *c*. */
function listPage(at: 0 | 1 | 2, total: number | null = 131): ListPage & { readonly items: readonly string[] } {
  const first = at * 50;
  return {
    items: Array.from({ length: Math.min(50, 131 - first) }, (_, index) => `row ${first + index + 1}`),
    ...(at === 0 ? {} : { previous: `to-${at - 1}` }),
    ...(at === 2 ? {} : { next: `to-${at + 1}` }),
    total,
  };
}

interface ListProps {
  readonly of: ReturnType<typeof listPage>;
  readonly cursor?: string;
  readonly isTurning?: boolean;
}

function List({ of, cursor, isTurning = false }: ListProps) {
  return (
    <PathnameContext value="/changes">
      <SearchParamsContext value={new URLSearchParams(cursor === undefined ? {} : { cursor })}>
        <PagedLedger
          label="Changes"
          columns={[{ key: 'name', head: 'Name', cell: (row: string) => row }]}
          rows={of.items}
          rowKey={(row) => row}
          page={of}
          isTurning={isTurning}
          noun="changes"
        />
      </SearchParamsContext>
    </PathnameContext>
  );
}

/** Presses a link of the pager and shows the page that it leads to. */
function turn(way: 'Newer' | 'Older', from: ListProps, to: ListProps) {
  const link = find('nav a', way);
  page?.focus(link);
  page?.click(link);
  page?.show(<List of={from.of} {...(to.cursor === undefined ? {} : { cursor: to.cursor })} isTurning />);
  page?.show(<List {...to} />);
  page?.wait(500);
}

const said = () => [...document.querySelectorAll('[role=status] p')].at(-1)?.textContent;
const firstRow = () => ({
  rows: find('[role=table]').getAttribute('aria-rowcount'),
  at: find('tbody [role=row]').getAttribute('aria-rowindex'),
});

describe('turning the pages of a list', () => {
  it('says where the page stands, and its rows say so too, forwards and back', () => {
    const pages = [
      { of: listPage(0) },
      { of: listPage(1), cursor: 'to-1' },
      { of: listPage(2), cursor: 'to-2' },
    ] as const;
    page = openPage(<List {...pages[0]} />);
    turn('Older', pages[0], pages[1]);
    expect(said()).toBe('Page turned: rows 51 to 100 of 131');
    expect(firstRow()).toEqual({ rows: '132', at: '52' });
    turn('Older', pages[1], pages[2]);
    expect(said()).toBe('Page turned: rows 101 to 131 of 131');
    turn('Newer', pages[2], pages[1]);
    expect(said()).toBe('Page turned: rows 51 to 100 of 131');
    expect(firstRow()).toEqual({ rows: '132', at: '52' });
  });

  it('makes no place up: on a page that a link led to, of a list nobody counted, or of one that has changed', () => {
    page = openPage(<List of={listPage(1)} cursor="to-1" />);
    expect(firstRow()).toEqual({ rows: '-1', at: null });
    page.close();
    page = openPage(<List of={listPage(0, null)} />);
    turn('Older', { of: listPage(0, null) }, { of: listPage(1, null), cursor: 'to-1' });
    expect(said()).toBe('Page turned: 50 rows');
    expect(firstRow()).toEqual({ rows: '-1', at: null });
    page.close();
    page = openPage(<List of={listPage(0)} />);
    turn('Older', { of: listPage(0) }, { of: listPage(1, 132), cursor: 'to-1' });
    expect(said()).toBe('Page turned: 50 rows of 132');
    expect(firstRow()).toEqual({ rows: '-1', at: null });
  });

  it('keeps the focus on the pager when the link that was pressed leads no further', () => {
    const [from, to] = [
      { of: listPage(1), cursor: 'to-1' },
      { of: listPage(2), cursor: 'to-2' },
    ] as const;
    page = openPage(<List {...from} />);
    turn('Older', from, to);
    expect(document.activeElement).toBe(find('nav a', 'Newer'));
  });

  it('says nothing of a page that nobody turned to', () => {
    page = openPage(<List of={listPage(0)} />);
    page.show(<List of={listPage(1)} cursor="to-1" />);
    page.wait(500);
    expect(said()).toBeUndefined();
  });
});
