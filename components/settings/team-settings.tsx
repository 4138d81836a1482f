'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { plural } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { REVIEW_MODES, type ReviewMode, type Settings } from '#server/contract/people.ts';
import { NOT_ADMIN } from './not-admin.ts';
import { useSetReviewMode } from './queries.ts';
import { REVIEW_WORDS } from './role-words.ts';

type Team = Settings['teams'][number];

/** Teams and how their changes are reviewed. */
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
    { key: 'review', head: 'Review', cell: ({ reviewMode }) => reviewMode },
    {
      key: 'means',
      head: 'What it means',
      cell: ({ reviewMode }) => <span className="text-ink-2">{REVIEW_WORDS[reviewMode]}</span>,
    },
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
        operator.
      </Sentence>
      <Ruled>
        <Ledger label="Teams" columns={columns} rows={settings.teams} rowKey={({ name }) => name} />
      </Ruled>
      {edited !== undefined && <ReviewDialog key={edited.name} team={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function ReviewDialog({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const [mode, setMode] = useState<ReviewMode>(team.reviewMode);
  const setReviewMode = useSetReviewMode();
  const { toast } = useAnnouncer();
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Review of ${team.displayName}`}
      act="Set review"
      reason="required"
      pending={setReviewMode.isPending}
      error={setReviewMode.isError ? <p className="text-danger">{messageOf(setReviewMode.error)}</p> : undefined}
      onConfirm={(reason) =>
        setReviewMode.mutate(
          { team: team.name, reviewMode: mode, reason },
          {
            onSuccess: () => {
              toast(`Changes of ${team.displayName} are reviewed: ${mode}.`);
              onClose();
            },
          },
        )
      }
    >
      <fieldset className="grid gap-2 text-body">
        <legend className="sr-only">Review</legend>
        {REVIEW_MODES.map((option) => (
          <Checkbox
            key={option}
            kind="radio"
            name="review"
            label={option}
            hint={REVIEW_WORDS[option]}
            checked={mode === option}
            onChange={() => setMode(option)}
          />
        ))}
      </fieldset>
      <p>
        {mode === team.reviewMode
          ? 'Review stays as it is.'
          : `From now on changes of ${team.displayName}'s definitions are reviewed: ${mode}. Approvals given so far stay.`}
      </p>
    </ConfirmEffect>
  );
}
