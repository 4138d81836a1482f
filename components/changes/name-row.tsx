'use client';

import { useState } from 'react';
import { KINDS } from '#components/definitions/kind-words.ts';
import { Field } from '#components/ui/field.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { draftKey } from './draft-book.ts';
import { useFormWiring } from './form-context.ts';
import { renameDraft } from './rename-draft.ts';

interface NameRowProps {
  readonly hint: string;
  /** Opens the draft under its new name. */
  readonly onRenamed: (key: string) => void;
}

/** The name, which can change until the definition is published. Committed on Enter or on leaving the field. */
export function NameRow({ hint, onRenamed }: NameRowProps) {
  const { draft, book, update, readOnlyWhy } = useFormWiring();
  const [text, setText] = useState(draft.name);
  const isFixed = draft.base !== null || readOnlyWhy !== undefined;
  const error =
    text === draft.name
      ? undefined
      : nameError(text, { kind: draft.kind, isTaken: book.has(draftKey(draft.kind, text)) });
  const commit = () => {
    if (text === draft.name || error !== undefined) return;
    update((now) => renameDraft(now, draft, text));
    onRenamed(draftKey(draft.kind, text));
  };
  return (
    <div data-path="name">
      <Field
        label="Name"
        hint={draft.base === null ? hint : 'A published definition keeps its name.'}
        error={error}
        required
      >
        <TextInput
          mono
          readOnly={isFixed}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) commit();
          }}
        />
      </Field>
    </div>
  );
}

/** What is wrong with a name, in the contract's words. */
export function nameError(
  name: string,
  { kind, isTaken }: { readonly kind: keyof typeof KINDS; readonly isTaken: boolean },
): string | undefined {
  const parsed = KINDS[kind].nameSchema.safeParse(name);
  if (!parsed.success) return parsed.error.issues[0]?.message;
  return isTaken ? `This change already has ${name}.` : undefined;
}
