'use client';

import { KINDS } from '#components/definitions/kind-words.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { formatBytes } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import type { ReleaseDetail } from '#server/contract/releases.ts';

type ReleaseSection = ReleaseDetail['sections'][number];

/** What a section of a release holds, in words; one that this console does not know keeps its own name. */
export function sectionWords(kind: string): string {
  if (kind === 'key') return 'keys';
  if (kind === 'probe') return 'probes';
  const known = Object.entries(KINDS).find(([each]) => each === kind);
  return known === undefined ? kind : known[1].many;
}

const COLUMNS: readonly [LedgerColumn<ReleaseSection>, ...LedgerColumn<ReleaseSection>[]] = [
  { key: 'kind', head: 'Part', cell: ({ kind }) => sectionWords(kind) },
  {
    key: 'changed',
    head: 'Against the release before',
    cell: (section) => (section.changed ? 'changed' : <span className="text-ink-3">same bytes</span>),
  },
  { key: 'hash', head: 'SHA-256', phone: 'end', cell: ({ sha256 }) => <Code text={sha256} what="hash" /> },
  { key: 'bytes', head: 'Size', align: 'right', cell: (section) => formatBytes(section.bytes) },
];

/** What was signed, byte for byte: nothing that a person needs to read a release, all that somebody who looks for a fault asks. */
export function ForSupport({ detail }: { readonly detail: ReleaseDetail }) {
  return (
    <details className="group border border-line bg-surface">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-cell px-4">
        <span className="font-semibold">For support</span>
        <span className="text-ink-3 text-meta max-tablet:hidden">hashes, signing key, what was signed</span>
        <span className="ml-auto text-accent text-meta group-open:hidden">Show</span>
        <span className="ml-auto hidden text-accent text-meta group-open:inline">Hide</span>
      </summary>
      <dl className="grid items-baseline gap-x-4 gap-y-1 border-line border-t p-4 tablet:grid-cols-[9rem_minmax(0,1fr)] [&>dt]:text-ink-3">
        <dt>Hash of the release</dt>
        <dd>
          <Code text={detail.sha256} what="hash of the release" />
        </dd>
        <dt>Signing key</dt>
        <dd>
          <Code text={detail.signingKeyId} what="id of the signing key" />
        </dd>
        <dt>Format</dt>
        <dd>{detail.formatVersion}</dd>
      </dl>
      <div className="border-line border-t">
        <Ledger
          label={`Parts of r${detail.row.number}`}
          columns={COLUMNS}
          rows={detail.sections}
          rowKey={(section) => section.kind}
        />
      </div>
    </details>
  );
}

/** Long enough to tell two apart; the whole of it is copied. */
function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="whitespace-nowrap">
      <span className="font-mono text-meta">{text.length > 16 ? `${text.slice(0, 12)}…` : text}</span>
      <CopyButton text={text} label="Copy" says={`Copy the ${what}`} />
    </span>
  );
}
