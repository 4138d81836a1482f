'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { EffectSummary } from '#components/changes/effect-summary.tsx';
import { EditDiffs } from '#components/definitions/edit-diffs.tsx';
import { NumberInput } from '#components/ui/number-input.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Section } from '#components/ui/section.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import type { ReleaseRow } from '#server/contract/releases.ts';
import { diffQuery } from './queries.ts';

/** What differs between this release and any other, in documents and in effect. The other one is in the URL. */
export function ReleaseDiffSection({ release }: { readonly release: ReleaseRow }) {
  const { search, set } = useUrlState();
  const asked = Number(search.get('with') ?? '');
  const base = Number.isInteger(asked) && asked > 0 ? asked : Math.max(1, release.number - 1);
  const query = useQuery({ ...diffQuery(base, release.number), placeholderData: keepPreviousData });
  return (
    <Section
      title={`From r${base} to r${release.number}`}
      acts={
        <span className="flex items-center gap-2 text-ink-2 text-meta">
          Compare with
          <NumberInput
            aria-label="Release to compare with"
            className="w-20"
            min={1}
            value={base}
            onChange={(event) => {
              const next = Math.trunc(event.target.valueAsNumber);
              if (next >= 1) set({ with: String(next) });
            }}
          />
        </span>
      }
    >
      <QueryView query={query} label={`r${base} and r${release.number}`}>
        {({ edits, effects }) => (
          <div className="grid gap-4">
            <EffectSummary effects={effects} />
            <EditDiffs edits={edits} none={`No definition differs between r${base} and r${release.number}.`} />
          </div>
        )}
      </QueryView>
    </Section>
  );
}
