'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { spineEntries } from '#components/definitions/spine-entries.tsx';
import { Button } from '#components/ui/button.tsx';
import { formatMs } from '#components/ui/format-time.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Section } from '#components/ui/section.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Spine } from '#components/ui/spine.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { ReleaseDetail, ReleaseRow } from '#server/contract/releases.ts';
import { DeniedSection } from './denied-section.tsx';
import { ForSupport } from './for-support.tsx';
import { GatewayAnswers } from './gateway-answers.tsx';
import { publisherWords } from './publisher-words.ts';
import { releaseQuery } from './queries.ts';
import { ReleaseDiffSection } from './release-diff.tsx';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { RolloutPanel } from './rollout-panel.tsx';

/** One release: where it is live, what it changed, how it came to be, and folded what was signed. */
export function ReleaseView({ number }: { readonly number: number }) {
  const query = useQuery(releaseQuery(number));
  return (
    <QueryView query={query} label={`r${number}`}>
      {(detail) => (
        <>
          <ReleaseHead detail={detail} />
          {detail.rollout !== null && (
            <div className="mb-8">
              <RolloutPanel detail={detail} rollout={detail.rollout} />
            </div>
          )}
          <div className="grid gap-8 wide:grid-cols-[minmax(0,1fr)_26rem]">
            <div className="grid min-w-0 content-start gap-8">
              <GatewayAnswers release={detail.row} answers={detail.gateways} />
              <DeniedSection detail={detail} />
              <ReleaseDiffSection detail={detail} />
              <ForSupport detail={detail} />
            </div>
            <Section title="How it came to be">
              <Spine label={`Spine of r${number}`} entries={spineEntries(detail.spine)} />
            </Section>
          </div>
        </>
      )}
    </QueryView>
  );
}

function ReleaseHead({ detail }: { readonly detail: ReleaseDetail }) {
  const { row, may } = detail;
  const [isAsking, setAsking] = useState(false);
  return (
    <PageHead
      title={<span className="font-mono">r{row.number}</span>}
      state={<TargetWord row={row} />}
      acts={
        <Button disabledWhy={may.rollBack.may ? undefined : may.rollBack.why} onClick={() => setAsking(true)}>
          Roll back…
        </Button>
      }
    >
      <Sentence>
        {row.state}{' '}
        {row.isTarget && row.timeToAllLiveMs !== null && (
          <>
            All gateways were live after <b>{formatMs(row.timeToAllLiveMs)}</b>.
          </>
        )}
      </Sentence>
      <Sentence size="prose" className="text-ink-2">
        {row.change === null ? (
          row.cause
        ) : (
          <>
            From{' '}
            <Token kind="change" bare href={`/changes/${row.change}`}>
              {row.cause}
            </Token>
          </>
        )}{' '}
        · {publisherWords(row)} · <Time ms={row.atMs} style="full" /> · signed
      </Sentence>
      {isAsking && <RollBackDialog release={row} onClose={() => setAsking(false)} />}
    </PageHead>
  );
}

function TargetWord({ row }: { readonly row: ReleaseRow }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      {row.isTarget ? (
        <StateWord mark="filled" tone="busy">
          Target
        </StateWord>
      ) : (
        <span className="text-ink-3">
          {row.undoneBy === null ? 'replaced by a newer release' : <UndoneBy release={row.undoneBy} />}
        </span>
      )}
      {row.rollback !== null && (
        <StateWord mark="back" tone="hold">
          {row.rollback.mode === 'undo' ? `Undoes r${row.rollback.release}` : `Returns to r${row.rollback.release}`}
        </StateWord>
      )}
      {row.emergency && (
        <StateWord mark="triangle" tone="hold">
          Emergency
        </StateWord>
      )}
    </span>
  );
}

function UndoneBy({ release }: { readonly release: number }) {
  return (
    <>
      undone by{' '}
      <Token kind="release" bare href={`/releases/${release}`}>
        r{release}
      </Token>
    </>
  );
}
