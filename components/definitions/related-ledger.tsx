'use client';

import { Empty } from '#components/ui/empty.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PaletteKeys } from '#components/ui/mod-key.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { definitionHref, KINDS } from './kind-words.ts';

type Relation = DefinitionDetail['relatedTo'][number];

type Column = LedgerColumn<Relation>;

const NAMED: readonly [Column, ...Column[]] = [
  {
    key: 'name',
    head: 'Definition',
    width: '18rem',
    cell: (relation) => (
      <>
        <Glyph kind={KINDS[relation.kind].glyph} className="text-ink-3" />
        <bdi className="font-mono">{relation.name}</bdi>
      </>
    ),
  },
  { key: 'how', head: 'How', cell: (relation) => relation.how },
];
const COLUMNS: readonly [Column, ...Column[]] = [
  ...NAMED,
  { key: 'kind', head: 'Kind', align: 'right', phone: 'end', cell: (relation) => KINDS[relation.kind].one },
];

/** Definitions that name this one, and those it names: what would have to move with it. */
export function RelatedLedger({ detail }: { readonly detail: DefinitionDetail }) {
  return (
    <Ruled>
      {detail.relatedTo.length === 0 ? (
        <Empty>No other definition names {detail.row.name}, and it names none.</Empty>
      ) : (
        <div>
          <Relations label={`Relations of ${detail.row.name}`} rows={detail.relatedTo} />
          <MoreRelated detail={detail} />
        </div>
      )}
    </Ruled>
  );
}

/** What a page has no room for. */
export function MoreRelated({ detail }: { readonly detail: Pick<DefinitionDetail, 'relatedTo' | 'relatedTotal'> }) {
  const more = detail.relatedTotal - detail.relatedTo.length;
  if (more <= 0) return null;
  return (
    <p className="border-line border-t px-4 py-2 text-ink-2">
      {formatCount(more)} more are not listed; <PaletteKeys /> finds one by its name.
    </p>
  );
}

/** Some relations as a ledger, with their kind where it is not the same in every row. */
export function Relations({ label, rows }: { readonly label: string; readonly rows: readonly Relation[] }) {
  return (
    <Ledger
      label={label}
      columns={new Set(rows.map(({ kind }) => kind)).size > 1 ? COLUMNS : NAMED}
      rows={rows}
      rowKey={(relation) => `${relation.kind}/${relation.name}/${relation.how}`}
      href={(relation) => definitionHref(relation.kind, relation.name)}
    />
  );
}
