import type { ReleaseRow } from '#server/contract/releases.ts';

/** *Ana Ruiz, approved by Bo Lind*. */
export function publisherWords(row: Pick<ReleaseRow, 'by' | 'approvedBy' | 'selfApproved'>): string {
  if (row.selfApproved) return `${row.by.name}, self-approved`;
  return row.approvedBy === null ? row.by.name : `${row.by.name}, approved by ${row.approvedBy.name}`;
}
