'use client';

import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { type DefinitionListQuery, definitionsQuery } from '#components/definitions/queries.ts';
import { TextInput } from '#components/ui/text-input.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import type { DraftBook } from './draft-book.ts';

interface ReferenceInputProps {
  /** The kind of definition that is named; `type` is either kind of type. */
  readonly kind: DefinitionListQuery['kind'];
  /** Edits whose names are offered too. */
  readonly book?: DraftBook | undefined;
  readonly value: string;
  /** `isKnown`: it is a name that was offered. */
  readonly onChange: (value: string, isKnown: boolean) => void;
  readonly readOnly?: boolean | undefined;
  readonly ref?: React.Ref<HTMLInputElement> | undefined;
}

const OFFERED = 20;

/** The name of a definition, completed from a change and from what is published, searched on the server. */
export function ReferenceInput({ kind, book, value, onChange, readOnly = false, ref }: ReferenceInputProps) {
  const listId = useId();
  const q = useSettled(value, 150);
  const published = useQuery(definitionsQuery({ kind, limit: OFFERED, ...(q === '' ? {} : { q }) })).data?.items ?? [];
  const drafted = [...(book?.values() ?? [])].filter((each) => isOf(kind, each.kind) && each.document !== null);
  const names = [...new Set([...drafted, ...published].map((each) => each.name))];
  return (
    <>
      <TextInput
        mono
        ref={ref}
        list={listId}
        readOnly={readOnly}
        value={value}
        onChange={(event) => onChange(event.target.value, names.includes(event.target.value))}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function isOf(wanted: DefinitionListQuery['kind'], kind: string): boolean {
  return wanted === kind || (wanted === 'type' && (kind === 'objectType' || kind === 'edgeType'));
}
