/**
 * Roles spelled out on a table's elements: on a phone their `display` changes, and browsers then drop the roles that
 * the elements have by themselves.
 */
export const TABLE_ROLE = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
