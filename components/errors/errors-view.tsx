'use client';

import { Empty } from '#components/ui/empty.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { ScopeBar, ScopeSelect } from '#components/ui/scope-bar.tsx';
import { Section } from '#components/ui/section.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import { ERRORS, type ErrorCode, type Side } from '#gateway/contract/errors.ts';
import { SIDE_WORDS } from './side-words.ts';

interface Row {
  readonly code: ErrorCode;
  readonly status: number;
  readonly side: Side;
  readonly retryable: boolean;
  readonly advice: string;
}

const ROWS: readonly Row[] = (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({ code, ...ERRORS[code] }));

const COLUMNS: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] = [
  { key: 'code', head: 'Code', width: '13rem', cell: ({ code }) => <span className="font-mono">{code}</span> },
  { key: 'status', head: 'Status', width: '4rem', align: 'right', phone: 'end', cell: ({ status }) => status },
  { key: 'side', head: 'On the side of', width: '11rem', cell: ({ side }) => SIDE_WORDS[side] },
  {
    key: 'retry',
    head: 'Repeat it?',
    width: '6rem',
    cell: ({ retryable }) => (retryable ? 'yes, later' : <span className="text-ink-3">no</span>),
  },
  { key: 'advice', head: 'What to do', cell: ({ advice }) => advice },
];

const BODY = `{"error": {
  "code": "forbidden",
  "message": "search may not read edges of Message: no policy permits it.",
  "requestId": "…",
  "retryable": false,
  "policy": "…",
  "help": "…/requests/…"
}}`;

/** Every code that the gateway refuses with: whose side, whether to try again, what to do. */
export function ErrorsView() {
  const { search, set } = useUrlState();
  const side = search.get('side');
  const rows = side === null ? ROWS : ROWS.filter((row) => row.side === side);
  return (
    <>
      <PageHead title="API and errors">
        <Sentence size="prose">
          Every refusal of the gateway carries one of {ROWS.length} codes. The code says whose side it is on and what to
          do; <code className="font-mono">help</code> in the reply leads to the page of that one request.
        </Sentence>
      </PageHead>
      <div className="mb-4">
        <ScopeBar>
          <ScopeSelect
            label="On the side of"
            value={side ?? ''}
            onChange={(value) => set({ side: value === '' ? null : value })}
            options={[
              { value: '', label: 'all' },
              ...Object.entries(SIDE_WORDS).map(([value, label]) => ({ value, label })),
            ]}
          />
        </ScopeBar>
      </div>
      <Ruled>
        {rows.length === 0 ? (
          <Empty>No code is on this side.</Empty>
        ) : (
          <Ledger
            label="Error codes"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ code }) => code}
            href={({ code }) => `/errors/${code}`}
          />
        )}
      </Ruled>
      <Section title="The body of a refusal" className="mt-8 max-w-2xl">
        <Snippet title="JSON" code={BODY} />
      </Section>
    </>
  );
}
