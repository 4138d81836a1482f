'use client';

import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { type Limit, limitsOf } from './limits-of.ts';

const COLUMNS: readonly [LedgerColumn<Limit>, ...LedgerColumn<Limit>[]] = [
  { key: 'what', head: 'Limit', cell: (limit) => limit.what },
  {
    key: 'now',
    head: 'At most',
    align: 'right',
    phone: 'end',
    cell: (limit) => <b className="font-semibold">{limit.now}</b>,
  },
  {
    key: 'most',
    head: 'A change can raise it to',
    align: 'right',
    cell: (limit) => (limit.most === 'fixed' ? <span className="text-ink-3">fixed</span> : limit.most),
  },
  {
    key: 'beyond',
    head: 'Beyond it',
    cell: (limit) =>
      limit.code === undefined ? (
        'the reply ends there and gives a cursor'
      ) : (
        <TextLink href={`/errors/${limit.code}`} className="font-mono text-meta">
          {limit.code}
        </TextLink>
      ),
  },
];

/** The walls of a type: where each stands and what a request beyond it gets. */
export function TypeLimits({ definition }: { readonly definition: Definition }) {
  return (
    <Ruled>
      <Ledger
        label={`Limits of ${definition.name}`}
        columns={COLUMNS}
        rows={limitsOf(definition)}
        rowKey={(limit) => limit.what}
      />
    </Ruled>
  );
}
