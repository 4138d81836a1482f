'use client';

import type { z } from 'zod';
import { definitionHref } from '#components/definitions/kind-words.ts';
import { Empty } from '#components/ui/empty.tsx';
import { formatShort } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail, TypeUser } from '#server/contract/definitions.ts';
import { actionsWords } from './actions-words.ts';

type User = z.infer<typeof TypeUser>;

const COLUMNS: readonly [LedgerColumn<User>, ...LedgerColumn<User>[]] = [
  {
    key: 'principal',
    head: 'Principal',
    cell: (user) => (
      <>
        <Glyph kind="principal" className="text-ink-3" />
        <bdi className="whitespace-nowrap font-mono">{user.principal}</bdi>
      </>
    ),
  },
  { key: 'kind', head: 'Kind', cell: (user) => <span className="whitespace-nowrap">{user.actorKind}</span> },
  {
    key: 'may',
    head: 'May',
    cell: (user) => (
      <span className="grid">
        {actionsWords(user.actions)}
        <span className="text-ink-3 text-meta max-tablet:hidden">
          by{' '}
          {user.policies.map((policy, index) => (
            <span key={policy}>
              {index > 0 && ', '}
              <Token kind="policy" bare href={definitionHref('policy', policy)}>
                {policy}
              </Token>
            </span>
          ))}
        </span>
      </span>
    ),
  },
  {
    key: 'requests',
    head: 'Last 24 h',
    align: 'right',
    phone: 'end',
    cell: (user) => {
      if (user.trafficHidden) return <Withheld tenant={user.tenant} />;
      return user.requests24h === 0 ? <span className="text-ink-3">none</span> : formatShort(user.requests24h);
    },
  },
  {
    key: 'used',
    head: 'Last used',
    align: 'right',
    cell: (user) => {
      if (user.trafficHidden) return <span className="text-ink-3">withheld</span>;
      return user.lastUsedMs === null ? (
        <span className="text-ink-3">never</span>
      ) : (
        <Time ms={user.lastUsedMs} style="ago" />
      );
    },
  },
];

/** Figures that whoever looks may not see: not zero, and not *never*. */
function Withheld({ tenant }: { readonly tenant: string }) {
  return (
    <span className="text-ink-3">
      withheld<span className="sr-only">: traffic of {tenant} is for its team and for operators</span>
    </span>
  );
}

/** Principals that policy lets use the type, with what they did with that right. */
export function TypeUsers({ detail }: { readonly detail: DefinitionDetail }) {
  const { users, row, removed } = detail;
  return (
    <Ruled className="self-start">
      <Section title="Who may use it" note="decided under the target release; requests of the last 24 h" frame="ruled">
        {removed !== null ? (
          <Empty>Nobody, while it is removed.</Empty>
        ) : users.length === 0 ? (
          <Empty
            acts={
              <TextLink href={`/changes/new?add=policy&for=${encodeURIComponent(row.name)}`}>Draft a policy</TextLink>
            }
          >
            Nobody. A policy has to permit it first.
          </Empty>
        ) : (
          <Ledger
            label={`Principals that may use ${row.name}`}
            columns={COLUMNS}
            rows={users}
            rowKey={(user) => `${user.tenant}/${user.principal}`}
            href={(user) => definitionHref('principal', user.principal)}
          />
        )}
        {users.some((user) => user.trafficHidden) && (
          <p className="border-line border-t px-4 py-2.5 text-ink-2">
            Withheld is the traffic of tenants that are neither yours nor yours to run: it is for their teams,
            operators, security and auditors.
          </p>
        )}
      </Section>
    </Ruled>
  );
}
