import type { LedgerColumn, LedgerSort } from './ledger-column.ts';
import { TABLE_ROLE } from './table-roles.ts';

interface LedgerHeadProps<Row> {
  readonly columns: readonly LedgerColumn<Row>[];
  readonly sort: LedgerSort | undefined;
  readonly onSort: ((sort: LedgerSort) => void) | undefined;
}

/** Column heads; sortable ones are buttons and say their direction. */
export function LedgerHead<Row>({ columns, sort, onSort }: LedgerHeadProps<Row>) {
  return (
    <thead {...TABLE_ROLE.group}>
      <tr {...TABLE_ROLE.row} aria-rowindex={1}>
        {columns.map((column) => {
          const direction = sort?.column === column.key ? sort.direction : undefined;
          const canSort = column.sortable === true && onSort !== undefined;
          return (
            <th
              key={column.key}
              {...TABLE_ROLE.head}
              scope="col"
              data-align={column.align}
              data-from={column.from}
              style={column.width === undefined ? undefined : { width: column.width }}
              aria-sort={direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
            >
              {canSort ? (
                <button
                  type="button"
                  className="rounded-cell hover:text-ink"
                  onClick={() => onSort({ column: column.key, direction: direction === 'asc' ? 'desc' : 'asc' })}
                >
                  {column.head}
                  <span aria-hidden>{direction === undefined ? '' : direction === 'asc' ? ' ↑' : ' ↓'}</span>
                </button>
              ) : (
                column.head || <span className="sr-only">Acts</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
