'use client';

import { useQuery } from '@tanstack/react-query';
import { isNotFound } from '#components/api-client.ts';
import { formatUs } from '#components/charts/duration-axis.ts';
import { StageBar } from '#components/charts/stage-bar.tsx';
import { CodeMeaning } from '#components/errors/code-meaning.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Failed } from '#components/ui/failed.tsx';
import { formatRu } from '#components/ui/format-number.ts';
import { Loading } from '#components/ui/loading.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { Spine } from '#components/ui/spine.tsx';
import type { ErrorCode } from '#gateway/contract/errors.ts';
import type { RequestDetail } from '#server/contract/requests.ts';
import { Attempts } from './attempts.tsx';
import { MakeTest } from './make-test.tsx';
import { NotKept } from './not-kept.tsx';
import { OutcomeState } from './outcome-state.tsx';
import { looksAgain, requestQuery } from './queries.ts';
import { RequestFacts } from './request-facts.tsx';
import { RequestSentence } from './request-sentence.tsx';
import { requestSpine } from './request-spine.tsx';
import { stageParts } from './request-words.ts';

interface RequestViewProps {
  readonly id: string;
  /** What the link says that the request was refused with: it explains itself even when no record of it is kept. */
  readonly code: ErrorCode | null;
}

/** One request: how it ended and why, where its time went, and what stood around it at that second. */
export function RequestView({ id, code }: RequestViewProps) {
  const query = useQuery(requestQuery(id));
  if (query.data !== undefined) return <Request detail={query.data} />;
  return (
    <>
      <PageHead glyph="request" title={<span className="break-all font-mono">{id}</span>} />
      <Ruled>
        {!query.isError && <Loading label="request" />}
        {query.isError && isNotFound(query.error) && (
          <NotKept id={id} code={code} isLooking={looksAgain(query)} onLook={() => void query.refetch()} />
        )}
        {query.isError && !isNotFound(query.error) && <FailedRequest query={query} code={code} />}
      </Ruled>
    </>
  );
}

interface FailedRequestProps {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  readonly code: ErrorCode | null;
}

/** Whoever may not see the tenant's traffic is told at least what the code means. */
function FailedRequest({ query, code }: FailedRequestProps) {
  return (
    <>
      <Failed error={query.error} onRetry={() => void query.refetch()} />
      {code !== null && (
        <div className="px-4 pb-8">
          <CodeMeaning code={code} />
        </div>
      )}
    </>
  );
}

const AROUND_MS = 5 * 60_000;

function Request({ detail }: { readonly detail: RequestDetail }) {
  const { record } = detail;
  const { atMs, durationUs } = record;
  const second = `from=${atMs - AROUND_MS}&to=${atMs + AROUND_MS}`;
  return (
    <>
      <PageHead
        glyph="request"
        title={<span className="break-all font-mono">{record.id}</span>}
        state={
          <span className="flex flex-wrap items-center gap-x-3">
            <OutcomeState outcome={record.outcome} />
            <span>HTTP {record.status}</span>
            <CopyButton text={record.id} label="Copy id" />
          </span>
        }
        acts={
          <>
            {record.tenant !== null && (
              <LinkButton href={`/latency/${encodeURIComponent(record.tenant)}?${second}`}>Latency then</LinkButton>
            )}
            <LinkButton href={`/audit?filter=${encodeURIComponent(`request:${record.id}`)}`}>Audit rows</LinkButton>
            <MakeTest record={record} />
          </>
        }
      >
        <RequestSentence detail={detail} />
      </PageHead>
      <Ruled columns={2}>
        <div className="grid content-start divide-y divide-line">
          <Section title="Stages" note={`first byte in to last byte out, ${formatUs(durationUs)}`} frame="ruled">
            <div className="p-4">
              <StageBar parts={stageParts(record.stages)} totalUs={durationUs} />
            </div>
          </Section>
          <Attempts record={record} />
        </div>
        <div className="grid content-start divide-y divide-line">
          <Section title="What happened" note={formatRu(record.ru)} frame="ruled">
            <div className="p-4">
              <Spine label="What happened to this request" entries={requestSpine(record)} />
            </div>
          </Section>
          <RequestFacts record={record} />
        </div>
      </Ruled>
    </>
  );
}
