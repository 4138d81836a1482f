'use client';

import Link from 'next/link';
import { useRef } from 'react';
import { cn } from './cn.ts';
import type { LedgerColumn } from './ledger-column.ts';
import { LedgerHead } from './ledger-head.tsx';
import { type ListPage, listPlace } from './list-place.ts';
import { TABLE_ROLE } from './table-roles.ts';
import { useLedgerKeys } from './use-ledger-keys.ts';
import { useRowWindow } from './use-row-window.ts';

export interface LedgerProps<Row> {
  /** What the rows are, for screen readers: "Object types". */
  readonly label: string;
  readonly columns: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Page that Enter or a click opens. */
  readonly href?: ((row: Row) => string) | undefined;
  /** Space, or a click where there is no href: show the row in the side panel. */
  readonly onPeek?: ((row: Row) => void) | undefined;
  readonly selectedKey?: string | undefined;
  /** The page of a longer list that the rows are; screen readers hear how long it is and where in it they stand. */
  readonly page?: ListPage | undefined;
  readonly className?: string | undefined;
}

/**
 * Rows of one kind of thing: a real table with hairlines, two-line rows under 600 px, j/k and arrows to move, Enter to
 * open, Space to peek. Over 200 rows only those near the view are in the page, below that find-in-page works.
 */
export function Ledger<Row>(props: LedgerProps<Row>) {
  const { label, columns, rows, rowKey, selectedKey } = props;
  const ref = useRef<HTMLTableElement>(null);
  const win = useRowWindow(ref, rows.length);
  const { rowCount, before } = listPlace(rows.length, props.page);
  const isOpenable = props.href !== undefined || props.onPeek !== undefined;
  const onKeyDown = useLedgerKeys((index) => {
    const row = rows[index];
    if (row !== undefined) props.onPeek?.(row);
  });
  return (
    <table
      ref={ref}
      {...TABLE_ROLE.table}
      aria-label={label}
      aria-rowcount={rowCount}
      className={cn('ledger', props.className)}
      onKeyDown={isOpenable ? onKeyDown : undefined}
    >
      <LedgerHead columns={columns} />
      <tbody {...TABLE_ROLE.group}>
        {win.before > 0 && <Spacer height={win.before} columns={columns.length} />}
        {rows.slice(win.from, win.to).map((row, offset) => (
          <LedgerRow
            key={rowKey(row)}
            row={row}
            index={win.from + offset}
            before={before}
            columns={columns}
            href={props.href?.(row)}
            onPeek={props.onPeek}
            isSelected={rowKey(row) === selectedKey}
          />
        ))}
        {win.after > 0 && <Spacer height={win.after} columns={columns.length} />}
      </tbody>
    </table>
  );
}

interface RowProps<Row> {
  readonly row: Row;
  readonly index: number;
  /** Rows of the list before the first one on the page, where that is known. */
  readonly before: number | undefined;
  readonly columns: readonly LedgerColumn<Row>[];
  readonly href: string | undefined;
  readonly onPeek: ((row: Row) => void) | undefined;
  readonly isSelected: boolean;
}

function LedgerRow<Row>({ row, index, before, columns, href, onPeek, isSelected }: RowProps<Row>) {
  const isOpenable = href !== undefined || onPeek !== undefined;
  const places = columns.map((column, at) => column.phone ?? (at === 0 ? 'lead' : 'meta'));
  return (
    // The lead cell's link or button is the keyboard's way in; the row only widens its target.
    <tr
      {...TABLE_ROLE.row}
      aria-rowindex={before === undefined ? undefined : before + index + 2}
      data-index={index}
      data-open={isOpenable || undefined}
      data-selected={isSelected || undefined}
      data-two-lines={places.includes('meta') || undefined}
      onClick={(event) => {
        if (!isOpenable || isOwnTarget(event.target) || String(getSelection()) !== '') return;
        event.currentTarget.querySelector<HTMLElement>('.ledger-lead')?.click();
      }}
    >
      {columns.map((column, at) => (
        <td
          key={column.key}
          {...TABLE_ROLE.cell}
          data-align={column.align}
          data-from={column.from}
          data-phone={places[at]}
        >
          {at === 0 && isOpenable ? (
            <Lead row={row} index={index} href={href} onPeek={onPeek} cell={column.cell} />
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function Lead<Row>({
  row,
  index,
  href,
  onPeek,
  cell,
}: Omit<RowProps<Row>, 'before' | 'columns' | 'isSelected'> & { cell: LedgerColumn<Row>['cell'] }) {
  // Roving: one stop for Tab, arrows and j/k from there. useLedgerKeys moves the 0.
  const tabIndex = index === 0 ? 0 : -1;
  if (href !== undefined) {
    return (
      <Link
        href={href}
        prefetch={false}
        tabIndex={tabIndex}
        className="ledger-lead inline-flex min-w-0 items-center gap-1.5"
      >
        {cell(row)}
      </Link>
    );
  }
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      onClick={() => onPeek?.(row)}
      className="ledger-lead inline-flex min-w-0 items-center gap-1.5 text-left"
    >
      {cell(row)}
    </button>
  );
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr aria-hidden data-spacer>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/** A control inside the row answers its own click. */
function isOwnTarget(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, select, label, summary') !== null;
}
