import { DiffView } from '#components/ui/diff-view.tsx';
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

/** Every edit with the fields that it changes, against what was published before. */
export function EditDiffs({ edits, none }: EditDiffsProps) {
  if (edits.length === 0) return <p className="text-ink-2">{none}</p>;
  return (
    <ul className="grid gap-px border border-line bg-line">
      {edits.map((edit) => (
        <li key={`${edit.kind}/${edit.name}`} className="min-w-0 bg-surface px-4 py-3">
          <h3 className="mb-1 flex flex-wrap items-baseline gap-x-3">
            <Token kind={KINDS[edit.kind].glyph} href={definitionHref(edit.kind, edit.name)}>
              {edit.name}
            </Token>
            <span className="text-ink-3 text-meta">
              {KINDS[edit.kind].one}, {ACT_WORDS[edit.act].word}
            </span>
          </h3>
          <DiffView
            label={`What changes in ${edit.name}`}
            before={readable(edit.kind, edit.base)}
            after={readable(edit.kind, edit.document)}
          />
        </li>
      ))}
    </ul>
  );
}

function readable(kind: Edit['kind'], document: Edit['document']) {
  return document === null ? undefined : inFieldOrder(document, KINDS[kind].fields);
}
