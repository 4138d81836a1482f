'use client';

import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { textAt } from '#components/definitions/document.ts';
import { definitionsQuery } from '#components/definitions/queries.ts';
import { TextInput } from '#components/ui/text-input.tsx';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { useFormWiring } from './form-context.ts';
import { Row } from './form-rows.tsx';
import { useSettled } from './use-settled.ts';

interface ReferenceRowProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  /** The kind of definition that is named. */
  readonly kind: DefinitionKind;
  readonly isFixed?: boolean;
}

const OFFERED = 20;

/** The name of another definition: completed from this change and from what is published, searched on the server. */
export function ReferenceRow({ path, label, hint, kind, isFixed = false }: ReferenceRowProps) {
  const { draft, book, set, touch, readOnlyWhy } = useFormWiring();
  const listId = useId();
  const value = textAt(draft.document, path);
  const q = useSettled(value, 150);
  const published = useQuery(definitionsQuery({ kind, limit: OFFERED, ...(q === '' ? {} : { q }) })).data?.items ?? [];
  const drafted = [...book.values()].filter((each) => each.kind === kind && each.document !== null);
  const names = [...new Set([...drafted, ...published].map((each) => each.name))];
  return (
    <Row path={path} label={label} hint={hint}>
      <TextInput
        mono
        list={listId}
        readOnly={isFixed || readOnlyWhy !== undefined}
        value={value}
        onChange={(event) => {
          set(path, event.target.value);
          if (names.includes(event.target.value)) touch(path);
        }}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Row>
  );
}
