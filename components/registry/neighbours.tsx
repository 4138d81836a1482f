'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { definitionHref } from '#components/definitions/kind-words.ts';
import { neighboursQuery } from '#components/definitions/queries.ts';
import { useListFilter } from '#components/definitions/use-list-filter.ts';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { FilterLine } from '#components/ui/filter-line.tsx';
import { plural } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { countWords } from '#components/ui/list-place.ts';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Section } from '#components/ui/section.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Token } from '#components/ui/token.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { Neighbour, Neighbourhood } from '#server/contract/definitions.ts';
import { DefinitionStateWord } from './definition-state-word.tsx';
import { NeighbourGraph } from './neighbour-graph.tsx';

interface NeighboursProps {
  readonly definition: Definition;
  readonly neighbours: Neighbourhood;
}

/** From so many on the list has a filter: they do not stand on one page. */
const PAGE = 50;

/** What a type is connected to: a picture with room for a few, and a list that has all, a page at a time. */
export function Neighbours({ definition, neighbours }: NeighboursProps) {
  const { name } = definition;
  const isEdge = definition.kind === 'edgeType';
  const centre = isEdge ? definition.document.from : name;
  return (
    <Section title={isEdge ? 'Between its types' : 'Neighbours'} note={noteOf(neighbours, isEdge)} frame="ruled">
      {neighbours.total === 0 ? (
        <Empty acts={<TextLink href="/changes/new?add=edgeType">Draft an edge type</TextLink>}>
          No edge type starts from {name} or leads to it.
        </Empty>
      ) : (
        <>
          <NeighbourGraph centre={centre} neighbours={neighbours} marked={isEdge ? name : undefined} />
          <NeighbourList definition={definition} total={neighbours.total} />
        </>
      )}
    </Section>
  );
}

interface NeighbourListProps {
  readonly definition: Definition;
  readonly total: number;
}

function NeighbourList({ definition: { kind, name }, total }: NeighbourListProps) {
  const filter = useListFilter([]);
  const query = useQuery({
    ...neighboursQuery(kind, name, { q: filter.words, cursor: filter.cursor }),
    enabled: filter.error === undefined,
    placeholderData: keepPreviousData,
  });
  const isEdge = kind === 'edgeType';
  return (
    <div className="tablet:border-line tablet:border-t">
      {total > PAGE && (
        <FilterLine
          label="Filter edge types"
          example="a name, or the type at the other end"
          keys={[]}
          value={filter.text}
          onCommit={filter.commit}
          error={filter.error}
          className="m-3 max-w-120"
        />
      )}
      <QueryView
        query={query}
        label="edge types"
        news={{ question: filter.text, words: (page) => countWords(page.total, 'edge types') }}
      >
        {(page) =>
          page.items.length === 0 ? (
            <Empty acts={<Button onClick={() => filter.commit('')}>Show all edge types</Button>}>
              {filter.text === '' ? 'None is left on this page.' : `No edge type of ${name} matches ${filter.text}.`}
            </Empty>
          ) : (
            <PagedLedger
              label={isEdge ? `Edge types between the types of ${name}` : `Edge types of ${name}`}
              columns={isEdge ? BETWEEN : columnsAt(name)}
              rows={page.items}
              rowKey={({ edge }) => edge}
              href={({ edge }) => definitionHref('edgeType', edge)}
              selectedKey={isEdge ? name : undefined}
              page={page}
              hasPages={total > PAGE}
              isTurning={query.isPlaceholderData}
              noun="edge types"
              words={{ previous: 'Previous page', next: 'Next page' }}
            />
          )
        }
      </QueryView>
    </div>
  );
}

function noteOf({ total }: Neighbourhood, isEdge: boolean): string | undefined {
  if (total === 0) return undefined;
  const edges = plural(total, 'edge type');
  return isEdge ? `${edges} between the same two object types` : edges;
}

type Column = LedgerColumn<Neighbour>;

const EDGE: Column = {
  key: 'edge',
  head: 'Edge type',
  width: '30%',
  cell: ({ edge, state }) => (
    <>
      <Glyph kind="edge" className="text-ink-3" />
      <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
        <bdi className="font-mono">{edge}</bdi>
        {state !== 'active' && <DefinitionStateWord state={state} />}
      </span>
    </>
  ),
};
const MANY: Column = {
  key: 'many',
  head: 'Of one object',
  width: '8rem',
  phone: 'end',
  cell: ({ cardinality }) => (cardinality === 'one' ? 'at most one' : 'many'),
};
const INVERSE: Column = {
  key: 'inverse',
  head: 'Inverse',
  width: '24%',
  cell: ({ inverse, mirrors }) => {
    const other = inverse ?? mirrors;
    if (other === null) return <span className="text-ink-3">no inverse</span>;
    return (
      <span>
        {inverse === null ? 'inverse of ' : <span className="tablet:hidden">inverse </span>}
        <EdgeToken name={other} />
      </span>
    );
  },
};
const BETWEEN: readonly [Column, ...Column[]] = [
  EDGE,
  {
    key: 'ends',
    head: 'From and to',
    cell: ({ from, to }) => (
      <span>
        from <TypeToken name={from} /> to {from === to ? 'itself' : <TypeToken name={to} />}
      </span>
    ),
  },
  MANY,
  INVERSE,
];

function columnsAt(name: string): readonly [Column, ...Column[]] {
  return [EDGE, { key: 'way', head: 'Way', cell: (row) => <Way row={row} name={name} /> }, MANY, INVERSE];
}

function Way({ row: { from, to }, name }: { readonly row: Neighbour; readonly name: string }) {
  if (from === to) return 'leads to itself';
  return from === name ? (
    <span>
      leads to <TypeToken name={to} />
    </span>
  ) : (
    <span>
      comes from <TypeToken name={from} />
    </span>
  );
}

function TypeToken({ name }: { readonly name: string }) {
  return (
    <Token kind="object" href={definitionHref('objectType', name)} className="inline-block">
      {name}
    </Token>
  );
}

function EdgeToken({ name }: { readonly name: string }) {
  return (
    <Token kind="edge" bare href={definitionHref('edgeType', name)} className="inline-block">
      {name}
    </Token>
  );
}
