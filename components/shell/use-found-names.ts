'use client';

import { useQueries } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import { definitionHref, KINDS } from '#components/definitions/kind-words.ts';
import type { GlyphKind } from '#components/ui/glyph.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import { DefinitionPage } from '#server/contract/definitions.ts';

interface FoundName {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly glyph: GlyphKind;
  readonly href: string;
}

const KIND_QUERIES = ['type', 'policy', 'tenant', 'principal'] as const;
const PAUSE_MS = 150;
const PER_KIND = 5;

/** Definitions whose name matches, after a pause in typing; searched on the server. */
export function useFoundNames(text: string): { readonly names: readonly FoundName[]; readonly isLooking: boolean } {
  const q = useSettled(text.trim(), PAUSE_MS);
  const results = useQueries({
    queries: KIND_QUERIES.map((kind) => ({
      queryKey: ['palette', kind, q],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        apiGet('/api/definitions', DefinitionPage, { query: { kind, q, limit: PER_KIND }, signal }),
      enabled: q.length >= 2,
      staleTime: 30_000,
    })),
  });
  const names = results
    .flatMap(({ data }) => data?.items ?? [])
    .map(({ kind, name, summary }) => ({
      key: `${kind} ${name}`,
      name,
      about: summary,
      glyph: KINDS[kind].glyph,
      href: definitionHref(kind, name),
    }));
  return { names, isLooking: results.some(({ isFetching }) => isFetching) };
}
