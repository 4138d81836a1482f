import { DiffView } from '#components/ui/diff-view.tsx';
import { FirstFew } from '#components/ui/first-few.tsx';
import { Token } from '#components/ui/token.tsx';
import type { Edit } from '#server/contract/changes.ts';
import { inFieldOrder } from './document.ts';
import { definitionHref, KINDS } from './kind-words.ts';

/** Signs and words of what an edit does. */
export const ACT_WORDS: Readonly<Record<Edit['act'], { readonly sign: string; readonly word: string }>> = {
  add: { sign: '+', word: 'new' },
  edit: { sign: '~', word: 'edited' },
  remove: { sign: '−', word: 'removed' },
};

interface EditDiffsProps {
  readonly edits: readonly Pick<Edit, 'kind' | 'name' | 'act' | 'document' | 'base'>[];
  readonly none: string;
}

/** Above this each edit is folded: first which definitions, then what of them. */
const MOST_OPEN = 10;
const MOST_SHOWN = 25;

type ShownEdit = EditDiffsProps['edits'][number];

/** Every edit with the fields that it changes, against what was published before. */
export function EditDiffs({ edits, none }: EditDiffsProps) {
  if (edits.length === 0) return <p className="text-ink-2">{none}</p>;
  const isFolded = edits.length > MOST_OPEN;
  return (
    <FirstFew items={edits} most={MOST_SHOWN} noun="definitions">
      {(shown) => (
        <ul className="grid gap-px border border-line bg-line">
          {shown.map((edit) => (
            <li key={`${edit.kind}/${edit.name}`} className="min-w-0 bg-surface px-4 py-3">
              {isFolded ? (
                <details>
                  <summary className="rounded-cell">
                    <EditHead edit={edit} isLink={false} />
                  </summary>
                  <EditDiff edit={edit} />
                </details>
              ) : (
                <>
                  <EditHead edit={edit} isLink />
                  <EditDiff edit={edit} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </FirstFew>
  );
}

/** `isLink` false where it is the handle of a fold, which has room for one act. */
function EditHead({ edit: { kind, name, act }, isLink }: { readonly edit: ShownEdit; readonly isLink: boolean }) {
  return (
    <h3 className="mb-1 inline-flex flex-wrap items-baseline gap-x-3">
      <Token kind={KINDS[kind].glyph} href={isLink ? definitionHref(kind, name) : undefined}>
        {name}
      </Token>
      <span className="text-ink-3 text-meta">
        {KINDS[kind].one}, {ACT_WORDS[act].word}
      </span>
    </h3>
  );
}

function EditDiff({ edit: { kind, name, base, document } }: { readonly edit: ShownEdit }) {
  return <DiffView label={`What changes in ${name}`} before={readable(kind, base)} after={readable(kind, document)} />;
}

function readable(kind: Edit['kind'], document: Edit['document']) {
  return document === null ? undefined : inFieldOrder(document, KINDS[kind].fields);
}
