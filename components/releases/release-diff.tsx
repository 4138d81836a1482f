'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { EffectSummary } from '#components/changes/effect-summary.tsx';
import { EditDiffs } from '#components/definitions/edit-diffs.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Section } from '#components/ui/section.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import type { ReleaseDetail } from '#server/contract/releases.ts';
import { diffQuery } from './queries.ts';
import { ReleaseInput } from './release-input.tsx';

/**
 * What differs between this release and the one before it, or any other that the URL names: documents and effect. The
 * first release has none before it.
 */
export function ReleaseDiffSection({ detail }: { readonly detail: ReleaseDetail }) {
  const { number } = detail.row;
  const { search, set } = useUrlState();
  const asked = Number(search.get('with') ?? '');
  const base = Number.isInteger(asked) && asked > 0 ? asked : number - 1;
  const isUsual = base === number - 1;
  return (
    <Section
      title={isUsual ? `What r${number} changed` : `From r${base} to r${number}`}
      acts={
        <span className="flex items-center gap-2 text-ink-2 text-meta">
          Compare with
          <ReleaseInput
            label="Release to compare with"
            value={base < 1 ? undefined : base}
            onChoose={(next) => set({ with: next === number - 1 ? null : String(next) })}
          />
        </span>
      }
    >
      {base < 1 ? (
        <EditDiffs edits={detail.edits} none="No definition changed." />
      ) : (
        <Difference from={base} to={number} none={isUsual ? NOTHING : `r${base} and r${number} hold the same.`} />
      )}
    </Section>
  );
}

const NOTHING = 'No definition changed: it carries an act on keys.';

interface DifferenceProps {
  readonly from: number;
  readonly to: number;
  readonly none: string;
}

function Difference({ from, to, none }: DifferenceProps) {
  const query = useQuery({ ...diffQuery(from, to), placeholderData: keepPreviousData });
  return (
    <QueryView query={query} label={`r${from} and r${to}`}>
      {({ edits, effects }) =>
        edits.length === 0 ? (
          <p className="text-ink-2">{none}</p>
        ) : (
          <div className="grid gap-4">
            <EffectSummary effects={effects} />
            <EditDiffs edits={edits} none={none} />
          </div>
        )
      }
    </QueryView>
  );
}
