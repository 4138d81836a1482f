// @vitest-environment happy-dom
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countWords } from '#components/ui/list-place.ts';
import { QueryView } from '#components/ui/query-view.tsx';
import { openPage, type Page } from './page.tsx';

let page: Page | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  page?.close();
  page = undefined;
  vi.useRealTimers();
});

interface ListProps {
  readonly filter: string;
  readonly total: number;
  /** Another page of the same answer, or the same one read again. */
  readonly cursor?: string;
}

function List({ filter, total, cursor }: ListProps) {
  const query = useQuery({
    queryKey: ['types', filter, cursor],
    queryFn: () => Promise.resolve({ total }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView
      query={query}
      label="types"
      news={{ question: filter, words: (data) => countWords(data.total, 'types') }}
    >
      {(data) => <p>{data.total}</p>}
    </QueryView>
  );
}

async function said(next: ListProps) {
  page?.show(<List {...next} />);
  for (let step = 0; step < 5; step += 1) {
    await vi.advanceTimersByTimeAsync(100);
    page?.wait(100);
  }
  return [...document.querySelectorAll('[role=status] p')].map((line) => line.textContent);
}

it('says how many rows a filter leaves, once for each filter, also when it is as many', async () => {
  page = openPage(null);
  expect(await said({ filter: '', total: 7 })).toEqual([]);
  expect(await said({ filter: 'Mess', total: 1 })).toEqual(['1 type']);
  expect(await said({ filter: 'Conv', total: 1 })).toEqual(['1 type', '1 type']);
  expect(await said({ filter: 'zzz', total: 0 })).toEqual(['1 type', '1 type', 'No types']);
});

it('says nothing of rows that come and go while the question stays, nor of another page', async () => {
  page = openPage(null);
  await said({ filter: 'outcome:refused', total: 7 });
  expect(await said({ filter: 'outcome:refused', total: 9, cursor: 'c1' })).toEqual([]);
});
