'use client';

import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { ERRORS, type ErrorCode, type Side } from '#gateway/contract/errors.ts';
import { SIDE_WORDS } from './side-words.ts';

interface Row {
  readonly code: ErrorCode;
  readonly status: number;
  readonly side: Side;
  readonly retryable: boolean;
  readonly advice: string;
}

const COLUMNS: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] = [
  { key: 'code', head: 'Code', width: '13rem', cell: ({ code }) => <span className="font-mono">{code}</span> },
  { key: 'status', head: 'Status', width: '4rem', align: 'right', phone: 'end', cell: ({ status }) => status },
  { key: 'side', head: 'On the side of', width: '11rem', cell: ({ side }) => SIDE_WORDS[side] },
  {
    key: 'retry',
    head: 'Repeat it?',
    width: '6rem',
    cell: ({ retryable }) => (
      <span className={retryable ? undefined : 'text-ink-3'}>
        {/* On a phone no head stands over it. */}
        <span className="tablet:hidden">{retryable ? 'repeat it later' : 'do not repeat it'}</span>
        <span className="max-tablet:hidden">{retryable ? 'yes, later' : 'no'}</span>
      </span>
    ),
  },
  { key: 'advice', head: 'What to do', phone: 'line', cell: ({ advice }) => advice },
];

interface ErrorRowsProps {
  readonly codes: readonly ErrorCode[];
  readonly label: string;
}

/** Codes with whose side they are on and what to do; each leads to its page. */
export function ErrorRows({ codes, label }: ErrorRowsProps) {
  return (
    <Ruled>
      <Ledger
        label={label}
        columns={COLUMNS}
        rows={codes.map((code): Row => ({ code, ...ERRORS[code] }))}
        rowKey={({ code }) => code}
        href={({ code }) => `/errors/${code}`}
      />
    </Ruled>
  );
}
