'use client';

import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { KINDS } from '#components/definitions/kind-words.ts';
import { definitionsQuery } from '#components/definitions/queries.ts';
import { Field } from '#components/ui/field.tsx';
import { focusFirst } from '#components/ui/focus-first.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import type { AddedEdit } from './added-edit.ts';
import { type DraftBook, draftKey } from './draft-book.ts';
import { useTakePublished } from './use-take-published.ts';

interface PublishedPickerProps {
  readonly book: DraftBook;
  readonly onPick: (edit: AddedEdit) => void;
}

const LISTS = ['type', 'policy', 'tenant', 'principal'] as const;
const PER_LIST = 5;

/** Finds a published definition by name, on the server, and takes it into the change. */
export function PublishedPicker({ book, onPick }: PublishedPickerProps) {
  const [text, setText] = useState('');
  const q = useSettled(text.trim(), 150);
  const lists = useQueries({
    queries: LISTS.map((kind) => ({
      ...definitionsQuery({ kind, limit: PER_LIST, ...(q === '' ? {} : { q }) }),
      placeholderData: keepPreviousData,
    })),
  });
  const rows = lists.flatMap((list) => list.data?.items ?? []).filter((row) => !book.has(draftKey(row.kind, row.name)));
  const pick = useTakePublished(onPick);
  return (
    <>
      <Field label="Find" required>
        <TextInput ref={focusFirst} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <ul
        aria-label="Published definitions"
        className="max-h-64 divide-y divide-line overflow-y-auto border border-line"
      >
        {rows.map((row) => (
          <li key={`${row.kind}/${row.name}`}>
            <button
              type="button"
              onClick={() => pick.mutate(row)}
              className="flex min-h-9 w-full items-center gap-2 px-3 text-left hover:bg-sunken focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
            >
              <Glyph kind={KINDS[row.kind].glyph} named className="text-ink-3" />
              <bdi className="font-mono">{row.name}</bdi>
              <span className="ml-auto text-ink-3 text-meta">{row.ownerTeam}</span>
            </button>
          </li>
        ))}
        {rows.length === 0 && (
          <li className="px-3 py-2 text-ink-2">
            {q === '' ? 'Nothing is published yet.' : `Nothing published matches ${q}.`}
          </li>
        )}
      </ul>
      {pick.isError && (
        <p role="alert" className="text-danger">
          {messageOf(pick.error)}
        </p>
      )}
    </>
  );
}
