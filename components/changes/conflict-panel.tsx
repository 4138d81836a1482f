'use client';

import { Button } from '#components/ui/button.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { choose, type Draft, type DraftBook, draftKey, typeInto } from './draft-book.ts';
import type { FieldConflict } from './merge-documents.ts';

interface ConflictPanelProps {
  readonly draft: Draft;
  readonly update: (change: (book: DraftBook) => DraftBook) => void;
}

/** Two people in one field: both values side by side, and a choice for each. Nothing is overwritten before it. */
export function ConflictPanel({ draft, update }: ConflictPanelProps) {
  const key = draftKey(draft.kind, draft.name);
  if (draft.isOrphan) {
    return (
      <section
        role="alert"
        className="grid justify-items-start gap-2 border border-line border-l-2 border-l-warn bg-surface px-4 py-3"
      >
        <StateWord mark="triangle" tone="warn" className="whitespace-normal">
          Somebody took {draft.name} out of this change while you were typing
        </StateWord>
        <p>What you typed is kept here and not saved.</p>
        <Button onClick={() => update((now) => typeInto(now, { ...draft, version: 0, saved: null, isOrphan: false }))}>
          Add it to the change again
        </Button>
      </section>
    );
  }
  if (draft.conflicts.length === 0) return null;
  return (
    <section role="alert" className="grid gap-3 border border-line border-l-2 border-l-warn bg-surface px-4 py-3">
      <StateWord mark="triangle" tone="warn" className="whitespace-normal">
        Somebody set {draft.conflicts.length === 1 ? 'a field' : 'fields'} that you were changing. Nothing was
        overwritten.
      </StateWord>
      {draft.conflicts.map((conflict) => (
        <Choice
          key={conflict.path}
          conflict={conflict}
          onChoose={(side) => update((now) => choose(typeInto(now, draft), key, { path: conflict.path, side }))}
        />
      ))}
    </section>
  );
}

interface ChoiceProps {
  readonly conflict: FieldConflict;
  readonly onChoose: (side: 'mine' | 'theirs') => void;
}

function Choice({ conflict, onChoose }: ChoiceProps) {
  const field = conflict.path === '' ? 'the whole definition' : conflict.path;
  return (
    <div className="grid gap-2">
      <p className="font-mono text-ink-2 text-meta">{field}</p>
      <div className="grid gap-3 tablet:grid-cols-2">
        <Side words="You typed" act="Keep mine" field={field} value={conflict.mine} onChoose={() => onChoose('mine')} />
        <Side
          words="Saved meanwhile"
          act="Take theirs"
          field={field}
          value={conflict.theirs}
          onChoose={() => onChoose('theirs')}
        />
      </div>
    </div>
  );
}

interface SideProps {
  readonly words: string;
  readonly act: string;
  readonly field: string;
  readonly value: unknown;
  readonly onChoose: () => void;
}

function Side({ words, act, field, value, onChoose }: SideProps) {
  return (
    <div className="grid content-start justify-items-start gap-1">
      <span className="text-ink-3 text-meta">{words}</span>
      <bdi className="max-h-48 w-full overflow-y-auto whitespace-pre-wrap rounded-cell bg-sunken px-2 py-1 font-mono text-meta">
        {valueWords(value)}
      </bdi>
      <Button onClick={onChoose} aria-label={`${act}: ${field}`}>
        {act}
      </Button>
    </div>
  );
}

function valueWords(value: unknown): string {
  if (value === null) return 'removed';
  if (value === undefined || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}
