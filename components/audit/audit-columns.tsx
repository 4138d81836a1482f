import Link from 'next/link';
import { formatCount } from '#components/ui/format-number.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Mark } from '#components/ui/mark.tsx';
import { Moment } from '#components/ui/moment.tsx';
import type { AuditEvent } from '#server/contract/audit.ts';
import type { AuditRow } from './fold-refusals.ts';

/** One row: when, who with kind, what was done to what, because of what, which request. */
export const AUDIT_COLUMNS: readonly [LedgerColumn<AuditRow>, ...LedgerColumn<AuditRow>[]] = [
  { key: 'at', head: 'Time', width: '9.5rem', phone: 'end', cell: ({ event }) => <Moment ms={event.atMs} /> },
  { key: 'who', head: 'Who', width: '12rem', phone: 'lead', cell: ({ event }) => <Who event={event} /> },
  { key: 'what', head: 'Did', cell: (row) => <Did row={row} /> },
  { key: 'because', head: 'Because', width: '11.5rem', cell: ({ event }) => <Because event={event} /> },
  { key: 'request', head: 'Request', align: 'right', phone: 'hide', cell: ({ event }) => <RequestId event={event} /> },
];

/** The first column and those of the given keys. */
export function keepColumns<Row>(
  [first, ...rest]: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]],
  keys: readonly string[],
): readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] {
  return [first, ...rest.filter(({ key }) => keys.includes(key))];
}

function Who({ event }: { readonly event: AuditEvent }) {
  return (
    <span className="wrap-break-word">
      <bdi className="font-medium">{event.actor}</bdi>{' '}
      <span className="text-ink-3">
        {/* In a row of people and programs nobody takes a service for a person. */}
        {event.actorKind.replace(/ principal$/, '')}
        {event.token != null && ` · token ${event.token}`}
        {event.tenant !== null && event.source === 'gateway' && ` · ${event.tenant}`}
      </span>
    </span>
  );
}

function Did({ row: { event, count } }: { readonly row: AuditRow }) {
  const isRefusal = event.did === 'refused';
  return (
    <span className="wrap-break-word">
      <span className={isRefusal ? 'inline-flex items-center gap-1.5 text-danger' : 'text-ink-2'}>
        {isRefusal && <Mark kind="cross" />}
        {event.did}
      </span>{' '}
      <What event={event} /> {count > 1 && <span className="text-ink-2">×{formatCount(count)}</span>}{' '}
      <Outcome event={event} />
    </span>
  );
}

function What({ event: { what, href } }: { readonly event: AuditEvent }) {
  if (href === null) return <bdi>{what}</bdi>;
  return (
    <Link
      href={href}
      prefetch={false}
      className="rounded-cell border-line border-b hover:border-accent hover:text-accent"
    >
      <bdi>{what}</bdi>
    </Link>
  );
}

/** How a write ended, where that is not as intended. */
function Outcome({ event: { outcome, did } }: { readonly event: AuditEvent }) {
  if (outcome === null || outcome === 'done' || did === 'refused') return null;
  if (outcome === 'unknown') return <span className="text-warn">outcome unknown</span>;
  return <span className="font-mono text-warn">{outcome}</span>;
}

function Because({ event: { because } }: { readonly event: AuditEvent }) {
  return because === null ? (
    <span className="text-ink-3">—</span>
  ) : (
    <bdi className="text-ink-2">{because.replace(/ @ r/, '\u00a0@\u00a0r')}</bdi>
  );
}

function RequestId({ event: { requestId, source } }: { readonly event: AuditEvent }) {
  if (requestId === null) return '—';
  const text = <span className="font-mono text-meta">{shortId(requestId)}</span>;
  if (source !== 'gateway') return <span title={requestId}>{text}</span>;
  return (
    <Link
      href={`/requests/${encodeURIComponent(requestId)}`}
      prefetch={false}
      title={requestId}
      className="rounded-cell text-ink-2 hover:text-accent"
    >
      {text}
    </Link>
  );
}

/** Enough of an id to tell it from its neighbours; the whole one is in the panel. */
export const shortId = (id: string): string => (id.length <= 12 ? id : `${id.slice(0, 11)}…`);
