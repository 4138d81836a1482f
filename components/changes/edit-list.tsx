'use client';

import { ACT_WORDS } from '#components/definitions/edit-diffs.tsx';
import { KINDS } from '#components/definitions/kind-words.ts';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { Mark } from '#components/ui/mark.tsx';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import { isClosedState } from './closed-state.ts';
import { actOf, type Draft, type DraftBook, draftKey } from './draft-book.ts';
import { countFindings } from './find-findings.ts';

interface EditListProps {
  readonly detail: ChangeDetail;
  readonly book: DraftBook;
  readonly findings: readonly Finding[];
  readonly openKey: string | undefined;
  readonly onOpen: (key: string) => void;
  readonly onAdd: () => void;
}

/** The edits of a change, each with what it does and whether something blocks it; and which reviews it needs. */
export function EditList({ detail, book, findings, openKey, onOpen, onAdd }: EditListProps) {
  const { may, needs } = detail;
  const isClosed = isClosedState(detail.row.state);
  // What a closed change still lacks, nobody waits for.
  const reviews = isClosed ? needs.filter(({ given }) => given) : needs;
  return (
    <nav aria-label="Edits of this change" className="grid content-start gap-4">
      <ul className="grid">
        {[...book].map(([key, draft]) => (
          <li key={key}>
            <button
              type="button"
              aria-current={key === openKey ? 'true' : undefined}
              onClick={() => onOpen(key)}
              className={cn(
                'flex min-h-8 w-full flex-wrap items-center gap-x-2 rounded-control px-2 py-1 text-left pointer-coarse:min-h-11',
                key === openKey ? 'bg-accent-wash' : 'hover:bg-sunken',
              )}
            >
              <Glyph kind={KINDS[draft.kind].glyph} named className="text-ink-3" />
              <bdi
                className={cn(
                  'wrap-break-word max-w-[calc(100%-1.5rem)] grow font-mono',
                  actOf(draft) === 'remove' && 'line-through',
                )}
              >
                {draft.name}
              </bdi>
              {/* One piece: beside the name, or under it where both do not fit. */}
              <span className="ml-auto inline-flex items-center gap-2 whitespace-nowrap">
                <Remarks count={openRemarks(detail, draft)} />
                <EditMark draft={draft} findings={findings} />
                <span className="text-ink-3 text-meta">{ACT_WORDS[actOf(draft)].word}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!isClosed && (
        <div>
          <Button onClick={onAdd} disabledWhy={may.edit.may ? undefined : may.edit.why}>
            Add an edit
          </Button>
        </div>
      )}
      {reviews.length > 0 && (
        <section aria-label="Reviews" className="grid gap-1 border-line border-t pt-3">
          <h2 className="text-ink-3 text-meta">Reviews</h2>
          {reviews.map((need) => (
            <p key={need.from} className="flex items-baseline gap-2">
              <Mark
                kind={need.given ? 'check' : 'ring'}
                className={cn('translate-y-px', need.given ? 'text-ok' : 'text-ink-3')}
              />
              <span>
                {need.from} <span className="text-ink-3">{need.given ? 'given' : whoWords(need)}</span>
              </span>
            </p>
          ))}
        </section>
      )}
    </nav>
  );
}

function openRemarks({ comments }: ChangeDetail, { kind, name }: Draft): number {
  return comments.filter((one) => one.kind === kind && one.name === name && one.resolvedBy === null).length;
}

function Remarks({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return <span className="text-accent text-meta">{count === 1 ? '1 remark' : `${count} remarks`}</span>;
}

function EditMark({ draft, findings }: { readonly draft: Draft; readonly findings: readonly Finding[] }) {
  if (draft.conflicts.length > 0 || draft.isOrphan)
    return <MarkWord words="two versions" kind="triangle" tone="text-warn" />;
  const key = draftKey(draft.kind, draft.name);
  const { errors, warnings } = countFindings(
    findings.filter((finding) => draftKey(finding.kind, finding.name) === key),
  );
  if (errors > 0) return <MarkWord words="blocked" kind="square" tone="text-danger" />;
  return warnings > 0 ? <MarkWord words="warnings" kind="triangle" tone="text-warn" /> : null;
}

function MarkWord({ words, kind, tone }: { words: string; kind: 'square' | 'triangle'; tone: string }) {
  return (
    <>
      <Mark kind={kind} className={tone} />
      <span className="sr-only">{words}</span>
    </>
  );
}

function whoWords({ mode, who }: ChangeDetail['needs'][number]): string {
  if (mode === 'off') return 'not asked';
  if (mode === 'self with reason') return 'by yourself, with a reason';
  return who.length === 0 ? 'nobody can give it yet' : `by ${who.map((person) => person.name).join(' or ')}`;
}
