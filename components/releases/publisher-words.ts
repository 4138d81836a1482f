import type { ReleaseRow } from '#server/contract/releases.ts';

/** *Ana Ruiz, approved by Bo Lind*, or *Bo Lind, who approved it* where the approving act published. */
export function publisherWords(row: Pick<ReleaseRow, 'by' | 'approvedBy' | 'selfApproved'>): string {
  if (row.selfApproved) return `${row.by.name}, self-approved`;
  if (row.approvedBy === null) return row.by.name;
  return row.approvedBy.id === row.by.id
    ? `${row.by.name}, who approved it`
    : `${row.by.name}, approved by ${row.approvedBy.name}`;
}
