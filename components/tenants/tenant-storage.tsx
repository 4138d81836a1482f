import { definitionHref, kindOfType } from '#components/definitions/kind-words.ts';
import { Empty } from '#components/ui/empty.tsx';
import { formatBytes, plural } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import type { StoredByType } from '#server/contract/definitions.ts';

type StoredType = StoredByType['types'][number];

const COLUMNS: readonly [LedgerColumn<StoredType>, ...LedgerColumn<StoredType>[]] = [
  {
    key: 'type',
    head: 'Type',
    cell: ({ type }) => (
      <>
        <Glyph kind={kindOfType(type) === 'objectType' ? 'object' : 'edge'} className="text-ink-3" />
        <span className="font-mono">{type}</span>
      </>
    ),
  },
  {
    key: 'count',
    head: 'Stored',
    align: 'right',
    cell: ({ type, count }) => plural(count, kindOfType(type) === 'objectType' ? 'object' : 'edge'),
  },
  { key: 'bytes', head: 'Size', align: 'right', phone: 'end', cell: ({ bytes }) => formatBytes(bytes) },
];

/** What is stored of a tenant by type, the largest first. */
export function TenantStorage({
  name,
  stored,
}: {
  readonly name: string;
  readonly stored: StoredByType | null | undefined;
}) {
  if (stored === undefined) {
    return (
      <Ruled>
        <Empty>What is stored of {name} is seen by the team that owns it and by those who run the installation.</Empty>
      </Ruled>
    );
  }
  const types = stored?.types.toSorted((a, b) => b.bytes - a.bytes) ?? [];
  return (
    <Ruled>
      {types.length === 0 ? (
        <Empty>
          {stored === null
            ? 'Not counted yet. Gateways count what is stored once they serve, within minutes.'
            : `Nothing is stored of ${name}.`}
        </Empty>
      ) : (
        <Ledger
          label={`Stored of ${name}`}
          columns={COLUMNS}
          rows={types}
          rowKey={({ type }) => type}
          href={({ type }) => definitionHref(kindOfType(type), type)}
        />
      )}
    </Ruled>
  );
}
