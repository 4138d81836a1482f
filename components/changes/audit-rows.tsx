'use client';

import { type Document, textAt } from '#components/definitions/document.ts';
import { SelectRow } from './form-rows.tsx';

/** Which successful calls are written to the audit log; refusals always are. */
export function AuditRows() {
  return (
    <>
      <SelectRow
        path="audit.writes"
        label="Audit of writes"
        options={[
          { value: 'all', label: 'Every write' },
          { value: 'none', label: 'None' },
        ]}
      />
      <SelectRow
        path="audit.reads"
        label="Audit of reads"
        hint="Refusals are always audited."
        options={[
          { value: 'none', label: 'None' },
          { value: 'sampled', label: 'A sample' },
          { value: 'all', label: 'Every read' },
        ]}
      />
    </>
  );
}

const READS = { none: 'no reads', sampled: 'a sample of reads', all: 'every read' } as const;

/** *audits every write and no reads*. */
export function auditWords(document: Document | null): string {
  const reads = textAt(document, 'audit.reads');
  const known = reads === 'sampled' || reads === 'all' ? READS[reads] : READS.none;
  return `audits ${textAt(document, 'audit.writes') === 'none' ? 'no writes' : 'every write'} and ${known}`;
}
