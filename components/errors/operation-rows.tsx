'use client';

import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PathText } from '#components/ui/path-text.tsx';
import type { ApiOperation } from '#gateway/contract/api/api-operation.ts';

const COLUMNS: readonly [LedgerColumn<ApiOperation>, ...LedgerColumn<ApiOperation>[]] = [
  { key: 'id', head: 'Operation', width: '11rem', cell: ({ id }) => <span className="font-mono">{id}</span> },
  { key: 'does', head: 'What it does', width: '22rem', cell: ({ summary }) => summary },
  {
    key: 'path',
    head: 'Method and path',
    cell: ({ method, path }) => <PathText text={`${method} ${path}`} className="text-meta" />,
  },
];

/** Calls of the data API; each leads to its page. */
export function OperationRows({ calls }: { readonly calls: readonly ApiOperation[] }) {
  return (
    <Ledger
      label="Operations"
      columns={COLUMNS}
      rows={calls}
      rowKey={({ id }) => id}
      href={({ id }) => `/errors/operations/${id}`}
    />
  );
}
