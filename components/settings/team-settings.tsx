'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { plural } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { REVIEW_KINDS, type Settings } from '#server/contract/people.ts';
import { NOT_ADMIN } from './not-admin.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { REVIEW_KIND_WORDS } from './role-words.ts';

type Team = Settings['teams'][number];

/** Teams and how their changes are reviewed, by kind. */
export function TeamSettings({ settings }: { readonly settings: Settings }) {
  const [edited, setEdited] = useState<Team>();
  const columns: readonly [LedgerColumn<Team>, ...LedgerColumn<Team>[]] = [
    {
      key: 'team',
      head: 'Team',
      cell: ({ name, displayName }) => (
        <span>
          <span className="font-medium">{displayName}</span> <span className="font-mono text-ink-3">{name}</span>
        </span>
      ),
    },
    {
      key: 'members',
      head: 'Members',
      align: 'right',
      width: '8rem',
      cell: ({ members }) => plural(members, 'member'),
    },
    ...REVIEW_KINDS.map(
      (kind): LedgerColumn<Team> => ({
        key: kind,
        head: REVIEW_KIND_WORDS[kind],
        cell: ({ reviewModes }) => (
          <span className={reviewModes[kind] === 'second person' ? 'text-ink-2' : 'font-medium'}>
            {reviewModes[kind]}
          </span>
        ),
      }),
    ),
    {
      key: 'act',
      head: '',
      align: 'right',
      phone: 'end',
      cell: (team) => (
        <Button
          look="quiet"
          disabledWhy={settings.canEdit ? undefined : NOT_ADMIN}
          onClick={() => setEdited(team)}
          aria-label={`Set review of ${team.displayName}`}
        >
          Set review
        </Button>
      ),
    },
  ];
  return (
    <>
      <Sentence size="prose" className="mb-4">
        Object and edge types are reviewed by their team, policies and principals by security, tenants and quotas by an
        operator. Each kind of a team has its own way.
      </Sentence>
      <Ruled>
        <Ledger label="Teams" columns={columns} rows={settings.teams} rowKey={({ name }) => name} />
      </Ruled>
      {edited !== undefined && <ReviewDialog key={edited.name} team={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
