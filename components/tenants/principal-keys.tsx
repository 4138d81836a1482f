'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import { useNow } from '#components/ui/use-now.ts';
import type { PrincipalKey } from '#server/contract/definitions.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { keyState } from './key-state.ts';
import { keysQuery } from './queries.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

/** Keys of a principal: made here and shown once, revoked here at once. */
export function PrincipalKeys({ principal }: { readonly principal: string }) {
  const query = useQuery(keysQuery(principal));
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<PrincipalKey>();
  const nowMs = useNow(60_000) ?? 0;
  return (
    <>
      <Ruled>
        <QueryView query={query} label="keys" rows={2}>
          {({ keys, mayCreate, mayRevoke, why }) => (
            <Section
              title="Keys"
              note="Habitat keeps only their hashes"
              frame="ruled"
              acts={
                <Button look="primary" disabledWhy={mayCreate ? undefined : why} onClick={() => setCreating(true)}>
                  Make a key
                </Button>
              }
            >
              {keys.length === 0 ? (
                <Empty>No keys yet, so {principal} cannot call the gateway.</Empty>
              ) : (
                <Ledger
                  label={`Keys of ${principal}`}
                  columns={columnsOf({ nowMs, revokeWhy: mayRevoke ? undefined : why, onRevoke: setRevoking })}
                  rows={keys}
                  rowKey={(key) => key.id}
                />
              )}
            </Section>
          )}
        </QueryView>
      </Ruled>
      {isCreating && <CreateKeyDialog principal={principal} onClose={() => setCreating(false)} />}
      {revoking !== undefined && (
        <RevokeKeyDialog
          principal={principal}
          revoked={revoking}
          ends={query.data?.revokeEnds ?? null}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

interface ColumnsInput {
  readonly nowMs: number;
  readonly revokeWhy: string | undefined;
  readonly onRevoke: (key: PrincipalKey) => void;
}

function columnsOf(input: ColumnsInput): readonly [LedgerColumn<PrincipalKey>, ...LedgerColumn<PrincipalKey>[]] {
  return [
    {
      key: 'label',
      head: 'Key',
      cell: (key) => (
        <span className="grid">
          <bdi>{key.label}</bdi>
          <span className="font-mono text-ink-3 text-meta">hk_{key.id}_…</span>
        </span>
      ),
    },
    { key: 'state', head: 'State', cell: (key) => <KeyStateCell of={key} nowMs={input.nowMs} /> },
    {
      key: 'made',
      head: 'Made',
      cell: (key) => (
        <>
          <PhoneWord>made by</PhoneWord>
          {key.createdBy.name}, <Time ms={key.createdAtMs} style="date" />
        </>
      ),
    },
    {
      key: 'ends',
      head: 'Ends',
      cell: (key) => (
        <>
          <PhoneWord>ends</PhoneWord>
          {key.expiresAtMs === null ? 'never' : <Time ms={key.expiresAtMs} style="date" />}
        </>
      ),
    },
    {
      key: 'used',
      head: 'Last used',
      align: 'right',
      cell: (key) =>
        key.lastUsedMs === null ? (
          <span className="text-ink-3">never used</span>
        ) : (
          <>
            <PhoneWord>used</PhoneWord>
            <Time ms={key.lastUsedMs} style="ago" />
          </>
        ),
    },
    {
      key: 'revoke',
      head: '',
      align: 'right',
      phone: 'end',
      cell: (key) =>
        key.revokedAtMs === null && (
          <Button
            look="quiet"
            aria-label={`Revoke key ${key.label}`}
            disabledWhy={input.revokeWhy}
            onClick={() => input.onRevoke(key)}
          >
            Revoke
          </Button>
        ),
    },
  ];
}

function KeyStateCell({ of: key, nowMs }: { readonly of: PrincipalKey; readonly nowMs: number }) {
  const state = keyState(key, nowMs);
  return (
    <span className="grid">
      <StateWord mark={state.mark} tone={state.tone}>
        {state.word}
      </StateWord>
      {key.revokedAtMs !== null && (
        <span className="text-ink-3 text-meta">
          {key.revokedBy?.name}, <Time ms={key.revokedAtMs} style="date" />: {key.revokeReason}
        </span>
      )}
    </span>
  );
}

/** What the column's head says on a desk; a phone's row has no heads. */
function PhoneWord({ children }: { readonly children: string }) {
  return <span className="tablet:hidden">{children} </span>;
}
