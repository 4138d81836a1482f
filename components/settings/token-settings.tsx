'use client';

import { useState } from 'react';
import { keyState } from '#components/tenants/key-state.ts';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import { useNow } from '#components/ui/use-now.ts';
import type { TokenRow } from '#server/contract/tokens.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';
import { useTokens } from './token-queries.ts';

/** Tokens for programs: made here and shown once, revoked here at once. */
export function TokenSettings() {
  const query = useTokens();
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<TokenRow>();
  const nowMs = useNow(60_000) ?? 0;
  return (
    <>
      <Sentence size="prose" className="mb-4">
        A token lets a program use this console’s API, as <code className="font-mono">npx habitat</code> and your CI do.
        It can do what its scopes name and never more than you may at that moment. Reviews, keys and settings take a
        person.
      </Sentence>
      <Ruled>
        <QueryView query={query} label="tokens" rows={2}>
          {({ tokens, teams }) => (
            <>
              <Section
                title="Tokens"
                note="Habitat keeps only their hashes"
                frame="ruled"
                acts={
                  <Button look="primary" onClick={() => setCreating(true)}>
                    Make a token
                  </Button>
                }
              >
                {tokens.length === 0 ? (
                  <Empty>No tokens yet. Make one to use the console from a terminal or a pipeline.</Empty>
                ) : (
                  <Ledger
                    label="Tokens"
                    columns={columnsOf(nowMs, setRevoked)}
                    rows={tokens}
                    rowKey={(token) => token.id}
                  />
                )}
              </Section>
              {isCreating && <CreateTokenDialog teams={teams} onClose={() => setCreating(false)} />}
            </>
          )}
        </QueryView>
      </Ruled>
      {revoked !== undefined && <RevokeTokenDialog revoked={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

function columnsOf(
  nowMs: number,
  onRevoke: (token: TokenRow) => void,
): readonly [LedgerColumn<TokenRow>, ...LedgerColumn<TokenRow>[]] {
  return [
    {
      key: 'name',
      head: 'Token',
      cell: (token) => (
        <span className="grid">
          <bdi>{token.name}</bdi>
          <span className="font-mono text-ink-3 text-meta">hbt_{token.id}…</span>
        </span>
      ),
    },
    {
      key: 'for',
      head: 'Acts for',
      cell: ({ team, createdBy }) => (
        <span className="whitespace-nowrap">
          <PhoneWord>for</PhoneWord>
          {team === null ? createdBy.name : `CI of ${team}`}
        </span>
      ),
    },
    { key: 'scopes', head: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    { key: 'state', head: 'State', cell: (token) => <TokenState of={token} nowMs={nowMs} /> },
    {
      key: 'ends',
      head: 'Ends',
      cell: (token) => (
        <span className="whitespace-nowrap">
          <PhoneWord>ends</PhoneWord>
          <Time ms={token.expiresAtMs} style="date" />
        </span>
      ),
    },
    {
      key: 'used',
      head: 'Last used',
      align: 'right',
      cell: ({ lastUsedMs }) =>
        lastUsedMs === null ? (
          <span className="text-ink-3">never used</span>
        ) : (
          <>
            <PhoneWord>used</PhoneWord>
            <Time ms={lastUsedMs} style="ago" />
          </>
        ),
    },
    {
      key: 'revoke',
      head: '',
      align: 'right',
      phone: 'end',
      cell: (token) =>
        token.revokedAtMs === null && (
          <Button look="quiet" aria-label={`Revoke token ${token.name}`} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
        ),
    },
  ];
}

function Scopes({ scopes }: Pick<TokenRow, 'scopes'>) {
  return (
    <span className="flex flex-wrap gap-x-2 font-mono text-meta">
      {scopes.map((scope) => (
        <span key={scope} className="whitespace-nowrap">
          {scope}
        </span>
      ))}
    </span>
  );
}

function TokenState({ of: token, nowMs }: { readonly of: TokenRow; readonly nowMs: number }) {
  const state = keyState(token, nowMs);
  return (
    <span className="grid">
      <StateWord mark={state.mark} tone={state.tone}>
        {state.word}
      </StateWord>
      {token.revokedAtMs !== null && (
        <span className="text-ink-3 text-meta">
          {token.revokedBy?.name}, <Time ms={token.revokedAtMs} style="date" />: {token.revokeReason}
        </span>
      )}
    </span>
  );
}

/** What the column's head says on a desk; a phone's row has no heads. */
function PhoneWord({ children }: { readonly children: string }) {
  return <span className="tablet:hidden">{children} </span>;
}
