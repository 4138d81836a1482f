import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { ChangePage } from '#server/contract/changes.ts';
import { DefinitionDetail, DefinitionPage, NeighbourPage } from '#server/contract/definitions.ts';
import { Settings } from '#server/contract/people.ts';

/** What a list of definitions asks the server for. */
export interface DefinitionListQuery {
  readonly kind: DefinitionKind | 'type';
  readonly q?: string | undefined;
  readonly team?: string | undefined;
  readonly first?: 'mine' | undefined;
  readonly state?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** The first part of a key is the live topic that makes it old: definitions move when a release is published. */
export const definitionsQuery = (query: DefinitionListQuery) =>
  queryOptions({
    queryKey: ['releases', 'definitions', query],
    queryFn: ({ signal }) => apiGet('/api/definitions', DefinitionPage, { query: { ...query }, signal }),
  });

/** One definition with its history, users, relations and open changes. */
export const definitionQuery = (kind: DefinitionKind, name: string) =>
  queryOptions({
    queryKey: ['releases', 'definition', kind, name],
    queryFn: ({ signal }) =>
      apiGet(`/api/definitions/${kind}/${encodeURIComponent(name)}`, DefinitionDetail, { signal }),
  });

/** The edge types around a type, a page at a time; `out` are those that start at it and are no inverse. */
export const neighboursQuery = (
  kind: DefinitionKind,
  name: string,
  query: {
    readonly q?: string | undefined;
    readonly way?: 'out' | undefined;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  },
) =>
  queryOptions({
    queryKey: ['releases', 'neighbours', kind, name, query],
    queryFn: ({ signal }) =>
      apiGet(`/api/definitions/${kind}/${encodeURIComponent(name)}/neighbours`, NeighbourPage, {
        query: { ...query },
        signal,
      }),
  });

/** Teams and people, to choose from. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }) => apiGet('/api/settings', Settings, { signal }),
  staleTime: 30_000,
});

/** My open changes, newest first. */
export const openChangesQuery = queryOptions({
  queryKey: ['changes', 'list', { state: 'open', by: 'me', limit: 200 }],
  queryFn: ({ signal }) =>
    apiGet('/api/changes', ChangePage, { query: { state: 'open', by: 'me', limit: 200 }, signal }),
});
