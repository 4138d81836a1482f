'use client';

import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { plural } from '#components/ui/format-number.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { Section } from '#components/ui/section.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Drift } from '#gateway/contract/background.ts';
import type { BackgroundEntry, BackgroundList, BackgroundPage } from '#server/contract/background.ts';
import { driftWords, entryWords } from '#server/contract/background-words.ts';
import { useTryAgain } from './queries.ts';

const NOT_OPERATOR = 'Another try is asked for by an operator or an admin.';

const EMPTY: Readonly<Record<BackgroundList, string>> = {
  waiting:
    'Nothing waits. When a gateway dies between an edge and its inverse, or cannot reach the inverse, it is listed here until it is written.',
  parked:
    'Nothing is parked. What fails twenty times for a reason of its own rests here until somebody asks for another try.',
  sweeps:
    'No object is being deleted. Deleting an object with many edges goes on in the background and is listed here.',
  drift:
    'Nothing drifted. With each count of what is stored, gateways compare every object with what it counts, and look at the inverses of some of its edges; what does not agree is listed here until it is recounted.',
};

const TITLES: Readonly<Record<BackgroundList, string>> = {
  waiting: 'Inverse edges that wait',
  parked: 'Parked',
  sweeps: 'Objects being deleted',
  drift: 'Objects whose counts or inverses do not agree',
};

interface Act {
  readonly label: string;
  readonly all: string;
  readonly says: (what: string) => string;
}

const TRY_AGAIN: Act = {
  label: 'Try again',
  all: 'Try all again',
  says: (what) => `Another try is asked for: ${what}.`,
};
const RECOUNT: Act = { label: 'Recount', all: 'Recount all', says: (what) => `A recount is asked for: ${what}.` };

interface BackgroundEntriesProps {
  readonly page: BackgroundPage;
  readonly list: BackgroundList;
  /** The page is of the question before; the answer is on its way. */
  readonly isTurning: boolean;
}

/** One page of what is not finished: what it is, since when, why it is not, and another try. */
export function BackgroundEntries({ page, list, isTurning }: BackgroundEntriesProps) {
  const again = useTryAgain();
  const { toast } = useAnnouncer();
  const why = page.canAct ? undefined : NOT_OPERATOR;
  const { label, all, says } = list === 'drift' ? RECOUNT : TRY_AGAIN;
  const ask = (id: string | null, what: string) =>
    again.mutate({ id, list: list === 'drift' ? list : 'parked' }, { onSuccess: () => toast(says(what)) });
  const act: LedgerColumn<BackgroundEntry> = {
    key: 'act',
    head: '',
    align: 'right',
    phone: 'end',
    cell: (entry) => (
      <Button
        look="quiet"
        disabledWhy={entry.isAsked ? 'Asked for; the gateway is told with its next report.' : why}
        pending={again.isPending && again.variables.id === entry.id}
        aria-label={`${label}: ${entryWords(entry)}`}
        onClick={() => ask(entry.id, entryWords(entry))}
      >
        {entry.isAsked ? 'Asked' : label}
      </Button>
    ),
  };
  const isAllShown = (list === 'parked' || list === 'drift') && page.counts[list] > 1;
  return (
    <Section
      title={TITLES[list]}
      frame="ruled"
      acts={
        isAllShown ? (
          <Button
            look="quiet"
            disabledWhy={why}
            pending={again.isPending && again.variables.id === null}
            onClick={() => ask(null, 'all of them')}
          >
            {all}
          </Button>
        ) : undefined
      }
    >
      {page.items.length === 0 ? (
        <Empty>{EMPTY[list]}</Empty>
      ) : (
        <PagedLedger
          label={TITLES[list]}
          columns={[...COLUMNS, act]}
          rows={page.items}
          rowKey={({ id }) => id}
          page={page}
          isTurning={isTurning}
          noun="entries"
          one="entry"
        />
      )}
      {again.isError && (
        <p role="alert" className="border-line border-t px-4 py-2 text-danger">
          {messageOf(again.error)}
        </p>
      )}
    </Section>
  );
}

const COLUMNS: readonly [LedgerColumn<BackgroundEntry>, ...LedgerColumn<BackgroundEntry>[]] = [
  {
    key: 'what',
    head: 'What',
    cell: (entry) => (
      <span className="[overflow-wrap:anywhere]">
        <bdi>{capitalised(entryWords(entry))}</bdi> <span className="text-ink-3">of {entry.tenant}</span>
      </span>
    ),
  },
  { key: 'since', head: 'Since', align: 'right', width: '8rem', cell: (entry) => <Time ms={entry.atMs} style="ago" /> },
  { key: 'why', head: 'Why', cell: (entry) => <Why entry={entry} /> },
  { key: 'next', head: 'Next try', align: 'right', width: '9rem', cell: (entry) => <Next entry={entry} /> },
];

function Why({ entry }: { readonly entry: BackgroundEntry }) {
  const { kind, reason, items, drift } = entry;
  if (drift !== undefined) return <Differences drift={drift} reason={reason} />;
  if (reason === null)
    return kind === 'sweep' ? `${plural(items, 'edge')} deleted so far` : 'Another gateway is at it.';
  return <Reason reason={reason} />;
}

/** Each on a line of its own, and why the last recount did not end. */
function Differences({ drift, reason }: { readonly drift: Drift; readonly reason: BackgroundEntry['reason'] }) {
  return (
    <ul className="[overflow-wrap:anywhere]">
      {driftWords(drift).map((words) => (
        <li key={words}>{words}</li>
      ))}
      {reason !== null && (
        <li>
          recount refused: <Reason reason={reason} />
        </li>
      )}
    </ul>
  );
}

function Reason({ reason }: { readonly reason: NonNullable<BackgroundEntry['reason']> }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      <TextLink href={`/errors/${encodeURIComponent(reason.code)}`}>{reason.code}</TextLink> {reason.message}
    </span>
  );
}

function Next({ entry }: { readonly entry: BackgroundEntry }) {
  if (entry.kind === 'drift') return entry.parkedAtMs === null ? 'being recounted' : 'when somebody asks';
  if (entry.parkedAtMs !== null) return <>parked after {plural(entry.failures, 'failure')}</>;
  // An entry without failures of its own is tried every few seconds.
  if (entry.failures === 0) return <>every few seconds</>;
  return (
    <>
      <Time ms={entry.nextAtMs} style="second" />, {plural(entry.failures, 'failure')}
    </>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
