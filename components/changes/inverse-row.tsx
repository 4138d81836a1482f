'use client';

import { useState } from 'react';
import { textAt } from '#components/definitions/document.ts';
import { Field } from '#components/ui/field.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { draftKey } from './draft-book.ts';
import { useFormWiring } from './form-context.ts';
import { nameError } from './name-row.tsx';
import { setInverse } from './pair-inverse.ts';

/** The edge type that leads back. Naming one adds it to the change; clearing the name takes it out again. */
export function InverseRow() {
  const { draft, book, update, touch, readOnlyWhy } = useFormWiring();
  const current = textAt(draft.document, 'inverse');
  const [text, setText] = useState(current);
  const existing = book.get(draftKey('edgeType', text));
  const isPair = existing !== undefined && existing.document?.from === draft.document?.to;
  const error =
    text === current || text === ''
      ? undefined
      : nameError(text, { kind: 'edgeType', isTaken: existing !== undefined && !isPair });
  const commit = () => {
    touch('inverse');
    if (text === current || error !== undefined) return;
    update((now) => setInverse(now, now.get(draftKey(draft.kind, draft.name)) ?? draft, text));
  };
  return (
    <div data-path="inverse">
      <Field
        label="Inverse"
        hint="Name it to find the way back, like inConversation. It becomes an edge type of its own in this change, and the gateway keeps both in step."
        error={error}
      >
        <TextInput
          mono
          readOnly={readOnlyWhy !== undefined}
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
