'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import { Failed } from './failed.tsx';
import { Loading } from './loading.tsx';
import { Stale } from './stale.tsx';
import { useNews } from './use-news.ts';

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What is coming, for the loading state. */
  readonly label: string;
  readonly rows?: number | undefined;
  /** What is said to screen readers when another question was answered. */
  readonly news?: QueryNews<Data> | undefined;
  readonly children: (data: Data) => React.ReactNode;
}

interface QueryNews<Data> {
  /** What was asked: the filter, not the page. The answer is said once for each, however often it is read again. */
  readonly question: string;
  /** The answer in a few words: *3 types*. */
  readonly words: (data: Data) => string;
}

/**
 * The states of one query: loading, failed or denied, and the data. When a refetch fails, what was read before stays on
 * screen under a line that says how old it is.
 */
export function QueryView<Data>({ query, label, rows, news, children }: QueryViewProps<Data>) {
  const answer = query.isPlaceholderData ? undefined : query.data;
  useNews(answer === undefined ? undefined : news?.words(answer), { key: news?.question });
  if (query.data !== undefined) {
    return (
      <>
        {query.isRefetchError && <Stale sinceMs={query.dataUpdatedAt} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading label={label} rows={rows} />;
}
