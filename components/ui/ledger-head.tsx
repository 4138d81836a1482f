import type { LedgerColumn } from './ledger-column.ts';
import { TABLE_ROLE } from './table-roles.ts';

/** Column heads. */
export function LedgerHead<Row>({ columns }: { readonly columns: readonly LedgerColumn<Row>[] }) {
  return (
    <thead {...TABLE_ROLE.group}>
      <tr {...TABLE_ROLE.row} aria-rowindex={1}>
        {columns.map((column) => (
          <th
            key={column.key}
            {...TABLE_ROLE.head}
            scope="col"
            data-align={column.align}
            data-from={column.from}
            style={column.width === undefined ? undefined : { width: column.width }}
          >
            {column.head || <span className="sr-only">Acts</span>}
          </th>
        ))}
      </tr>
    </thead>
  );
}
