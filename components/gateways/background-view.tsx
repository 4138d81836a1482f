'use client';

import { useQuery } from '@tanstack/react-query';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import { BACKGROUND_LISTS, type BackgroundList, type BackgroundPage } from '#server/contract/background.ts';
import { BackgroundEntries } from './background-entries.tsx';
import { BackgroundRanges } from './background-ranges.tsx';
import { backgroundSentence } from './background-sentence.ts';
import { backgroundQuery } from './queries.ts';

const LABELS: Readonly<Record<BackgroundList, string>> = {
  ...{ waiting: 'Waiting', parked: 'Parked', sweeps: 'Sweeps', drift: 'Drift' },
};

/** What gateways left behind and finish later: inverse edges, sweeps of deleted objects; what drifted; how far the feed is read. */
export function BackgroundView({ tabs }: { readonly tabs: React.ReactNode }) {
  const { search } = useUrlState();
  const list = useTab(listTabs(), 'list') as BackgroundList;
  const query = useQuery(backgroundQuery({ list, cursor: search.get('cursor') ?? undefined }));
  return (
    <QueryView query={query} label="background work">
      {(page) => (
        <div data-density="dense">
          <PageHead title="Gateways">
            <Sentence>{backgroundSentence(page)}</Sentence>
          </PageHead>
          {tabs}
          <Tabs label="Background work" tabs={listTabs(page)} param="list" className="mb-3" />
          <Ruled>
            <BackgroundEntries page={page} list={list} isTurning={query.isPlaceholderData} />
            <BackgroundRanges ranges={page.ranges} />
          </Ruled>
        </div>
      )}
    </QueryView>
  );
}

function listTabs(page?: BackgroundPage): readonly [Tab, ...Tab[]] {
  const [first, ...rest] = BACKGROUND_LISTS.map((value) => ({
    value,
    label: LABELS[value],
    count: page?.counts[value],
  }));
  return [first ?? { value: 'waiting', label: LABELS.waiting }, ...rest];
}
