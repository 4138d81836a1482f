'use client';

import { DiffView } from '#components/ui/diff-view.tsx';
import { Spine, type SpineEntry } from '#components/ui/spine.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';

type Revision = DefinitionDetail['history'][number];

/** Every published revision of a definition, newest first, each with what it changed. */
export function History({ detail }: { readonly detail: DefinitionDetail }) {
  const newestFirst = [...detail.history].sort((a, b) => b.revision - a.revision);
  const entries = newestFirst.map((revision, index) => entryOf(revision, newestFirst[index + 1]));
  return <Spine label={`Revisions of ${detail.row.name}`} entries={entries} />;
}

function entryOf(revision: Revision, before: Revision | undefined): SpineEntry {
  const isRemoved = revision.document === null;
  return {
    id: String(revision.revision),
    atMs: revision.atMs,
    tone: isRemoved ? 'danger' : 'neutral',
    mark: 'release',
    what: (
      <>
        {revision.author.name} {isRemoved ? 'removed it' : before === undefined ? 'added it' : 'changed it'} in{' '}
        <Token kind="release" bare href={`/releases/${revision.release}`}>
          r{revision.release}
        </Token>
        {revision.change !== null && (
          <>
            {' '}
            from{' '}
            <Token kind="change" bare href={`/changes/${revision.change}`}>
              ∆{revision.change}
            </Token>
          </>
        )}
        {approvalWords(revision)}.
      </>
    ),
    detail: (
      <div className="grid gap-2">
        {revision.reason !== '' && <p>“{revision.reason}”</p>}
        {before !== undefined && !isRemoved && (
          <details>
            <summary className="w-fit rounded-cell text-accent">What changed</summary>
            <div className="mt-1 border-line border-l pl-3">
              <DiffView
                label={`Revision ${before.revision} and revision ${revision.revision}`}
                before={before.document}
                after={revision.document}
              />
            </div>
          </details>
        )}
      </div>
    ),
  };
}

/** `, approved by Bo`, `, self-approved`, or nothing where no review was asked. */
export function approvalWords(of: Pick<Revision, 'selfApproved' | 'approvedBy'>): string {
  if (of.selfApproved) return ', self-approved';
  return of.approvedBy === null ? '' : `, approved by ${of.approvedBy.name}`;
}
