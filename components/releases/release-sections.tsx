'use client';

import { formatBytes } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import type { ReleaseDetail } from '#server/contract/releases.ts';

type ReleaseSection = ReleaseDetail['sections'][number];

const COLUMNS: readonly [LedgerColumn<ReleaseSection>, ...LedgerColumn<ReleaseSection>[]] = [
  { key: 'kind', head: 'Section', cell: (section) => <span className="font-mono">{section.kind}</span> },
  {
    key: 'changed',
    head: 'Against the release before',
    cell: (section) => (section.changed ? 'changed' : <span className="text-ink-3">same bytes</span>),
  },
  {
    key: 'hash',
    head: 'SHA-256',
    cell: (section) => <span className="font-mono text-meta">{section.sha256.slice(0, 16)}…</span>,
  },
  { key: 'bytes', head: 'Size', align: 'right', phone: 'end', cell: (section) => formatBytes(section.bytes) },
];

/** What was signed: the sections of a release by content; a gateway fetches only those that changed. */
export function ReleaseSections({ detail }: { readonly detail: ReleaseDetail }) {
  return (
    <Ruled>
      <Section title="Sections" note={`format ${detail.formatVersion}`} frame="ruled">
        <Ledger
          label={`Sections of r${detail.row.number}`}
          columns={COLUMNS}
          rows={detail.sections}
          rowKey={(section) => section.kind}
        />
      </Section>
    </Ruled>
  );
}
