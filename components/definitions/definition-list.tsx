'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import type { FilterKey } from '#components/ui/filter-completions.ts';
import { FilterLine } from '#components/ui/filter-line.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { countWords } from '#components/ui/list-place.ts';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import type { DefinitionRow } from '#server/contract/definitions.ts';
import { DefinitionPeek } from './definition-peek.tsx';
import { definitionHref } from './kind-words.ts';
import { type DefinitionListQuery, definitionsQuery, settingsQuery } from './queries.ts';
import { useListFilter } from './use-list-filter.ts';

interface DefinitionListProps {
  /** What is listed: `types`. */
  readonly noun: string;
  readonly kind: DefinitionListQuery['kind'];
  /** Values of `kind:` in the filter line, where the list holds several kinds. */
  readonly kinds?: Readonly<Record<string, DefinitionListQuery['kind']>> | undefined;
  /** The kinds listed have a lifecycle: `state:` narrows by it. */
  readonly hasStates?: boolean | undefined;
  /** What my teams own comes first. */
  readonly isMineFirst?: boolean | undefined;
  readonly example: string;
  readonly columns: readonly [LedgerColumn<DefinitionRow>, ...LedgerColumn<DefinitionRow>[]];
  /** First use: nothing of this kind exists at all. */
  readonly empty: React.ReactNode;
}

const STATES: FilterKey = {
  key: 'state',
  about: 'how far on its way out',
  values: ['active', 'deprecated', 'removed'],
};

/** A ledger of definitions: filtered and paged by the server, the filter and the page in the URL. */
export function DefinitionList(props: DefinitionListProps) {
  const { noun, kinds } = props;
  const teams = useQuery(settingsQuery).data?.teams.map((team) => team.name);
  const keys: readonly FilterKey[] = [
    { key: 'team', about: 'the team that owns it', values: teams === undefined ? undefined : ['mine', ...teams] },
    ...(kinds === undefined ? [] : [{ key: 'kind', about: 'what it is', values: Object.keys(kinds) }]),
    ...(props.hasStates === true ? [STATES] : []),
  ];
  const filter = useListFilter(keys);
  const query = useQuery({
    ...definitionsQuery({
      kind: kinds?.[filter.values.kind ?? ''] ?? props.kind,
      team: filter.values.team,
      first: props.isMineFirst === true ? 'mine' : undefined,
      state: filter.values.state,
      q: filter.words,
      cursor: filter.cursor,
    }),
    enabled: filter.error === undefined,
    placeholderData: keepPreviousData,
  });
  const one = noun.replace(/ies$/, 'y').replace(/s$/, '');
  const [peeked, setPeeked] = useState<string>();
  return (
    <>
      <FilterLine
        label={`Filter ${noun}`}
        example={props.example}
        keys={keys}
        value={filter.text}
        onCommit={filter.commit}
        error={filter.error}
        className="mb-3 max-w-160"
      />
      <div className="desk:grid desk:grid-cols-[minmax(0,1fr)_auto]">
        <Ruled className="self-start">
          <QueryView
            query={query}
            label={noun}
            news={{ question: filter.text, words: ({ total }) => countWords(total, noun, one) }}
          >
            {(page) =>
              page.items.length === 0 ? (
                <NoRows noun={noun} text={filter.text} onAll={() => filter.commit('')} empty={props.empty} />
              ) : (
                <PagedLedger
                  label={noun}
                  columns={peeked === undefined ? props.columns : besidePanel(props.columns)}
                  rows={page.items}
                  rowKey={keyOf}
                  onPeek={(row) => setPeeked(keyOf(row))}
                  selectedKey={peeked}
                  href={(row) => definitionHref(row.kind, row.name)}
                  page={page}
                  isTurning={query.isPlaceholderData}
                  noun={noun}
                  one={one}
                  words={{ previous: 'Previous page', next: 'Next page' }}
                />
              )
            }
          </QueryView>
        </Ruled>
        <DefinitionPeek
          row={query.data?.items.find((row) => keyOf(row) === peeked)}
          onClose={() => setPeeked(undefined)}
        />
      </div>
    </>
  );
}

type Columns = DefinitionListProps['columns'];

/** The name and what it is: what fits beside an open panel. */
function besidePanel([first, second]: Columns): Columns {
  return second === undefined ? [first] : [first, second];
}

const keyOf = (row: DefinitionRow): string => `${row.kind}/${row.name}`;

interface NoRowsProps {
  readonly noun: string;
  readonly text: string;
  readonly onAll: () => void;
  readonly empty: React.ReactNode;
}

function NoRows({ noun, text, onAll, empty }: NoRowsProps) {
  if (text === '') return empty;
  return (
    <Empty acts={<Button onClick={onAll}>Show all {noun}</Button>}>
      {text === 'team:mine' ? `Your teams own no ${noun}.` : `No ${noun} match ${text}.`}
    </Empty>
  );
}
