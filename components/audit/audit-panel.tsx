'use client';

import { CopyButton } from '#components/ui/copy-button.tsx';
import { DiffView } from '#components/ui/diff-view.tsx';
import { formatCount, plural } from '#components/ui/format-number.ts';
import { RowPanel } from '#components/ui/row-panel.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { AuditEvent } from '#server/contract/audit.ts';
import type { AuditRow } from './fold-refusals.ts';

interface AuditPanelProps {
  readonly row: AuditRow | undefined;
  readonly onClose: () => void;
}

/** One row in full: the sentence, what it was before and after, where the log keeps it, and the way to what it is about. */
export function AuditPanel({ row, onClose }: AuditPanelProps) {
  return (
    <RowPanel open={row !== undefined} onClose={onClose} title={row === undefined ? '' : titleOf(row)}>
      {row !== undefined && <Panel row={row} />}
    </RowPanel>
  );
}

function titleOf({ event, count }: AuditRow): string {
  return `${event.actor} ${event.did} ${event.what}${count > 1 ? ` ×${formatCount(count)}` : ''}`;
}

function Panel({ row: { event, events, count } }: { readonly row: AuditRow }) {
  const hasDocuments = event.before !== null || event.after !== null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Sentence size="prose">
        {event.actorKind === '' ? '' : `${upperFirst(event.actorKind)} `}
        <bdi className="font-semibold">{event.actor}</bdi> {event.did} {event.what}
        {event.because !== null && <>, because: {event.because.replace(/\.$/, '')}</>}.
      </Sentence>
      {hasDocuments && (
        <section aria-label="Before and after">
          <DiffView
            label={`Before and after: ${event.what}`}
            before={event.before ?? undefined}
            after={event.after ?? undefined}
          />
        </section>
      )}
      <Facts event={event} />
      {events.length > 1 && (
        <section>
          <h3 className="mb-1 font-semibold">
            {plural(count, 'equal refusal')} in {plural(events.length, 'row')}
          </h3>
          <ul className="max-h-60 divide-y divide-line overflow-y-auto border-line border-y">
            {events.map((each) => (
              <li key={each.id} className="flex min-h-8 items-center justify-between gap-3">
                <Time ms={each.atMs} style="ms" />
                <span className="text-ink-3">{each.count > 1 ? `×${formatCount(each.count)}` : ''}</span>
                <RequestLink event={each} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Facts({ event }: { readonly event: AuditEvent }) {
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1 [&>dt]:text-ink-3">
      <dt>Time</dt>
      <dd>
        <Time ms={event.atMs} style="ms" /> · <Time ms={event.atMs} style="full" />
      </dd>
      {event.outcome !== null && (
        <>
          <dt>Outcome</dt>
          <dd className="font-mono">{event.outcome}</dd>
        </>
      )}
      {event.token != null && (
        <>
          <dt>Token</dt>
          <dd>{event.token}</dd>
        </>
      )}
      {event.tenant !== null && (
        <>
          <dt>Tenant</dt>
          <dd>
            <Token kind="tenant" bare href={`/tenants/${encodeURIComponent(event.tenant)}`}>
              {event.tenant}
            </Token>{' '}
            ·{' '}
            <TextLink
              href={`/latency/${encodeURIComponent(event.tenant)}?from=${event.atMs - 300_000}&to=${event.atMs + 300_000}`}
            >
              latency then
            </TextLink>
          </dd>
        </>
      )}
      {event.release !== null && (
        <>
          <dt>Release</dt>
          <dd>
            <Token kind="release" bare href={`/releases/${event.release}`}>
              r{event.release}
            </Token>
          </dd>
        </>
      )}
      {event.requestId !== null && (
        <>
          <dt>Request</dt>
          <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
            <RequestLink event={event} />
            <CopyButton text={event.requestId} label="Copy id" />
          </dd>
        </>
      )}
      {event.href !== null && (
        <>
          <dt>About</dt>
          <dd>
            <TextLink href={event.href}>{event.what}</TextLink>
          </dd>
        </>
      )}
      <dt>Kept in</dt>
      <dd>
        {event.stream === null ? (
          'the console’s own log, with the change'
        ) : (
          <>
            stream <span className="break-all font-mono">{event.stream}</span> · seq{' '}
            {event.seq === null ? '—' : formatCount(event.seq)}
          </>
        )}
      </dd>
    </dl>
  );
}

function RequestLink({ event: { requestId, source } }: { readonly event: AuditEvent }) {
  if (requestId === null) return null;
  if (source !== 'gateway') return <span className="break-all font-mono text-meta">{requestId}</span>;
  return (
    <TextLink href={`/requests/${encodeURIComponent(requestId)}`} className="break-all font-mono text-meta">
      {requestId}
    </TextLink>
  );
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
