'use client';

import { useState } from 'react';
import { PageHead } from '#components/ui/page-head.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Token } from '#components/ui/token.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { ChangeActs } from './change-acts.tsx';
import { ChangeWordsDialog } from './change-words-dialog.tsx';
import { PublishWhenApproved } from './publish-when-approved.tsx';
import { StateLine } from './state-line.tsx';
import type { Checks } from './use-checks.ts';
import type { Drafts } from './use-drafts.ts';

interface ChangeHeadProps {
  readonly detail: ChangeDetail;
  readonly drafts: Drafts;
  readonly checks: Checks;
  readonly onAttempt: () => void;
}

/** The head of a change: title, state, why, what it waits for, and the acts. */
export function ChangeHead({ detail, drafts, checks, onAttempt }: ChangeHeadProps) {
  const { row, reason, link, may, emergency, againOf } = detail;
  const [isEditing, setEditing] = useState(false);
  return (
    <PageHead
      title={
        <>
          <span className="font-mono">∆{row.number}</span> {row.title}
        </>
      }
      state={<StateLine state={row.state} />}
      acts={<ChangeActs detail={detail} drafts={drafts} checks={checks} onAttempt={onAttempt} />}
    >
      <Sentence size="prose" className="text-ink-2">
        {row.author.name}: {reason === '' ? 'no reason given.' : `“${reason}”`}{' '}
        {link !== null && (
          <>
            <a
              href={link}
              target="_blank"
              rel="noreferrer"
              className="rounded-cell text-accent underline decoration-line underline-offset-4"
            >
              {new URL(link).host}
            </a>{' '}
          </>
        )}
        {may.edit.may && (
          <button
            type="button"
            onClick={() => setEditing(true)}
            className="min-h-6 rounded-cell px-1 text-accent text-meta hover:bg-accent-wash"
          >
            Edit title and reason
          </button>
        )}
      </Sentence>
      <Sentence size="prose">
        {emergency && (
          <>
            <StateWord mark="triangle" tone="hold">
              Emergency
            </StateWord>{' '}
            ·{' '}
          </>
        )}
        {row.waitsFor}{' '}
        {againOf !== null && (
          <>
            It holds again what{' '}
            <Token kind="change" bare href={`/changes/${againOf}`}>
              ∆{againOf}
            </Token>{' '}
            did before that was undone.{' '}
          </>
        )}
        {row.release !== null && (
          <>
            It is{' '}
            <Token kind="release" bare href={`/releases/${row.release}`}>
              r{row.release}
            </Token>
            . <TextLink href={`/audit?filter=release:${row.release}`}>Its audit rows</TextLink>
          </>
        )}
      </Sentence>
      <PublishWhenApproved detail={detail} />
      {isEditing && <ChangeWordsDialog detail={detail} onClose={() => setEditing(false)} />}
    </PageHead>
  );
}
