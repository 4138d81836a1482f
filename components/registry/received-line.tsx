'use client';

import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { ConsoleError, messageOf } from '#components/api-client.ts';
import { formatRu } from '#components/ui/format-number.ts';
import { Mark } from '#components/ui/mark.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { useNews } from '#components/ui/use-news.ts';
import type { Received } from '#server/contract/definitions.ts';
import { type Likeness, receivedQuery } from './queries.ts';

interface ReceivedLineProps {
  readonly kind: 'objectType' | 'edgeType';
  readonly name: string;
  readonly like: Likeness;
}

/** *Received 2 s ago: 200 · r42 · 1.0 RU*, or the refusal by name, for the newest request that a snippet may have made. */
export function ReceivedLine({ kind, name, like }: ReceivedLineProps) {
  const query = useQuery(receivedQuery(kind, name, like));
  const request = query.data?.request ?? undefined;
  // Said once a request. The line itself is no live region: its age counts up every second.
  useNews(query.isPending ? undefined : request === undefined ? '' : receivedWords(request), {
    key: request?.id ?? 'none',
  });
  if (query.error instanceof ConsoleError && query.error.code === 'not_permitted') {
    return <span className="text-ink-3">{query.error.message}</span>;
  }
  if (query.isError) return <span className="text-ink-3">Cannot tell what arrived: {messageOf(query.error)}</span>;
  return (
    <div className="flex min-h-5 flex-wrap items-baseline gap-x-2">
      {request === undefined ? (
        <span className="inline-flex items-center gap-1.5 text-ink-3">
          <Mark kind="dashed" />{' '}
          {query.isPending ? 'Looking for requests' : 'Nothing received yet. Paste it into a terminal.'}
        </span>
      ) : (
        <>
          <Outcome status={request.status} code={request.code} />
          <span>
            {request.release === null ? 'no release' : `r${request.release}`} · {formatRu(request.ru)}
          </span>
          <Time ms={request.atMs} style="ago" className="text-ink-3" />
          <TextLink href={`/requests/${encodeURIComponent(request.id)}`}>Explain it</TextLink>
          {request.message !== null && request.status >= 400 && (
            <span className="basis-full text-ink-2">{request.message}</span>
          )}
        </>
      )}
    </div>
  );
}

type ReceivedRequest = NonNullable<z.infer<typeof Received>['request']>;

function receivedWords({ status, code, release, ru }: ReceivedRequest): string {
  const outcome = status < 400 ? `${status}` : `${status} ${code}`;
  return `Received ${outcome} under ${release === null ? 'no release' : `r${release}`}, ${formatRu(ru)}`;
}

function Outcome({ status, code }: { readonly status: number; readonly code: string | null }) {
  if (status < 400) {
    return (
      <StateWord mark="check" tone="ok">
        Received: {status}
      </StateWord>
    );
  }
  return (
    <StateWord mark="cross" tone={status >= 500 ? 'danger' : 'warn'} className="whitespace-normal">
      Received: {status} {code}
    </StateWord>
  );
}
