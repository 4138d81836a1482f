// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { find, openPage, type Page } from './page.tsx';

interface Row {
  readonly name: string;
  readonly size: number;
}

const COLUMNS: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] = [
  { key: 'name', head: 'Name', cell: ({ name }) => name },
  { key: 'size', head: 'Size', cell: ({ size }) => size, align: 'right' },
];

const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => ({ name: `row ${at}`, size: at }));

const pageOf = (total: number | null, cursors: { next?: string; previous?: string } = { next: 'c1' }, items = 3) => ({
  items: rowsOf(items),
  total,
  ...cursors,
});

/** What the table says of its rows to who cannot see them. */
const said = () => ({
  rows: find('[role=table]').getAttribute('aria-rowcount'),
  at: [...document.querySelectorAll('tbody [role=row]')].map((row) => row.getAttribute('aria-rowindex')),
});

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

describe('a ledger', () => {
  it('is a table for screen readers, whatever its layout, and says how many rows the whole list has', () => {
    page = openPage(
      <Ledger label="Types" columns={COLUMNS} rows={rowsOf(3)} rowKey={({ name }) => name} page={pageOf(120)} />,
    );
    expect(find('[role=table]').getAttribute('aria-label')).toBe('Types');
    expect(said()).toEqual({ rows: '121', at: ['2', '3', '4'] });
  });

  it.each([
    ['a whole list', undefined, { rows: '4', at: ['2', '3', '4'] }],
    ['the last page', pageOf(120, { previous: 'c1' }), { rows: '121', at: ['119', '120', '121'] }],
    ['a page between', pageOf(120, { previous: 'c1', next: 'c2' }), { rows: '-1', at: [null, null, null] }],
    ['a page of more than is counted', pageOf(null, { next: 'c1' }), { rows: '-1', at: ['2', '3', '4'] }],
    ['rows that stand for several', pageOf(120, { next: 'c1' }, 5), { rows: '-1', at: [null, null, null] }],
  ])('says where rows stand only where that is known: %s', (_name, of, expected) => {
    page = openPage(<Ledger label="Types" columns={COLUMNS} rows={rowsOf(3)} rowKey={({ name }) => name} page={of} />);
    expect(said()).toEqual(expected);
  });

  it('moves focus with arrows and j, k; Home and End reach the ends; one row takes Tab', () => {
    page = openPage(
      <Ledger
        label="Types"
        columns={COLUMNS}
        rows={rowsOf(4)}
        rowKey={({ name }) => name}
        href={({ name }) => `/types/${name}`}
      />,
    );
    find('.ledger-lead', 'row 0').focus();
    const steps = ['j', 'ArrowDown', 'k', 'End', 'ArrowDown', 'Home'].map((key) => {
      page?.press(key);
      return document.activeElement?.textContent;
    });
    expect(steps).toEqual(['row 1', 'row 2', 'row 1', 'row 3', 'row 3', 'row 0']);
    expect(
      [...document.querySelectorAll<HTMLElement>('.ledger-lead')]
        .filter((lead) => lead.tabIndex === 0)
        .map((lead) => lead.textContent),
    ).toEqual(['row 0']);
  });

  it('leaves j and k alone when single keys are switched off, but not the arrows', () => {
    page = openPage(
      <Ledger label="Types" columns={COLUMNS} rows={rowsOf(2)} rowKey={({ name }) => name} href={() => '/'} />,
      { singleKeys: 'off' },
    );
    find('.ledger-lead', 'row 0').focus();
    page.press('j');
    expect(document.activeElement?.textContent).toBe('row 0');
    page.press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('row 1');
  });

  it('shows the row in the panel with Space, and by a click anywhere in a row without a page', () => {
    const peeked: string[] = [];
    page = openPage(
      <Ledger
        label="Types"
        columns={COLUMNS}
        rows={rowsOf(3)}
        rowKey={({ name }) => name}
        onPeek={({ name }) => peeked.push(name)}
      />,
    );
    find('.ledger-lead', 'row 1').focus();
    page.press(' ');
    page.click(find('tbody tr:last-child td:last-child'));
    expect(peeked).toEqual(['row 1', 'row 2']);
  });

  it('puts all of 200 rows into the page and only some of 1,000, with true row numbers', () => {
    page = openPage(<Ledger label="Types" columns={COLUMNS} rows={rowsOf(200)} rowKey={({ name }) => name} />);
    expect(document.querySelectorAll('tbody [role=row]')).toHaveLength(200);
    page.show(<Ledger label="Types" columns={COLUMNS} rows={rowsOf(1000)} rowKey={({ name }) => name} />);
    expect(document.querySelectorAll('tbody [role=row]').length).toBeLessThan(200);
    expect(find('[role=table]').getAttribute('aria-rowcount')).toBe('1001');
  });
});
