'use client';

import { textAt } from '#components/definitions/document.ts';
import { Select } from '#components/ui/select.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import { useFormWiring } from './form-context.ts';
import { Row } from './form-rows.tsx';

const OPTIONS = [
  { value: '', label: 'Content may be anything' },
  { value: 'off', label: 'Off: the schema is kept and not used' },
  { value: 'warn', label: 'Warn: store it, and say in the reply what does not fit' },
  { value: 'enforce', label: 'Enforce: what does not fit gets content_rejected' },
];

const BEGINNING = '{\n  "type": "object",\n  "properties": {},\n  "required": []\n}\n';

/** A schema that content is checked against when it is written. */
export function ContentSchemaRows() {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const mode = textAt(draft.document, 'contentSchema.mode');
  const choose = (next: string) => {
    if (next === '') set('contentSchema', undefined);
    else if (mode === '') set('contentSchema', { mode: next, schema: BEGINNING });
    else set('contentSchema.mode', next);
  };
  return (
    <fieldset className="grid gap-5">
      <legend className="sr-only">Content schema</legend>
      <Row
        path="contentSchema.mode"
        label="Content schema"
        hint="Checked when an object is written; what is stored already stays as it is."
      >
        <Select
          options={OPTIONS}
          disabled={readOnlyWhy !== undefined}
          value={mode}
          onChange={(event) => choose(event.target.value)}
        />
      </Row>
      {mode !== '' && (
        <Row
          path="contentSchema.schema"
          label="Schema"
          hint="JSON Schema, in the part that docs/content-schema.md lists."
        >
          <Textarea
            rows={10}
            spellCheck={false}
            className="font-mono"
            readOnly={readOnlyWhy !== undefined}
            value={textAt(draft.document, 'contentSchema.schema')}
            onChange={(event) => set('contentSchema.schema', event.target.value)}
          />
        </Row>
      )}
    </fieldset>
  );
}

/** *schema enforced*, for the fold; nothing for a type without one. */
export function contentSchemaWords(document: Parameters<typeof textAt>[0]): string {
  const mode = textAt(document, 'contentSchema.mode');
  return mode === '' ? '' : ` · schema: ${mode}`;
}
