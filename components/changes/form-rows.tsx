'use client';

import type { ReactNode } from 'react';
import { textAt, valueAt } from '#components/definitions/document.ts';
import { Field } from '#components/ui/field.tsx';
import { Finding } from '#components/ui/finding.tsx';
import { NumberInput } from '#components/ui/number-input.tsx';
import { Select, type SelectOption } from '#components/ui/select.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import { FieldThread } from './field-thread.tsx';
import { findingsAt } from './find-findings.ts';
import { useFormWiring } from './form-context.ts';

interface RowProps {
  /** Dotted path of the field in the document. */
  readonly path: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly required?: boolean;
}

/** One field of a document with its own error and the findings that point at it. */
export function Row({ path, label, hint, required = true, children }: RowProps & { readonly children: ReactNode }) {
  const { draft, findings, issues, isTouched, touch } = useFormWiring();
  const isShown = isTouched(path);
  const issue = isShown ? issues.get(path) : undefined;
  const at = isShown ? findingsAt(findings, { kind: draft.kind, name: draft.name, path }) : [];
  // The server says the same as the schema, a moment later.
  const others = at.filter(
    (finding) => finding.message !== issue && (issue === undefined || finding.severity !== 'error'),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus that leaves any control inside bubbles up to here
    <div data-path={path} onBlur={() => touch(path)} className="group/row relative grid gap-1">
      <Field
        label={label}
        hint={hint}
        required={required}
        error={issue}
        blocked={others.some(({ severity }) => severity === 'error')}
        findings={
          others.length === 0
            ? undefined
            : others.map((finding) => (
                <Finding
                  key={`${finding.code} ${finding.message}`}
                  severity={finding.severity}
                  code={finding.code}
                  example={finding.example}
                >
                  {finding.message}
                </Finding>
              ))
        }
      >
        {children}
      </Field>
      <FieldThread path={path} label={label} />
    </div>
  );
}

/** One line of text. An empty optional field is left out of the document. */
export function TextRow({ mono, ...row }: RowProps & { readonly mono?: boolean }) {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const isOptional = row.required === false;
  return (
    <Row {...row}>
      <TextInput
        mono={mono ?? false}
        readOnly={readOnlyWhy !== undefined}
        value={textAt(draft.document, row.path)}
        onChange={(event) => set(row.path, event.target.value === '' && isOptional ? undefined : event.target.value)}
      />
    </Row>
  );
}

/** A sentence or a few. */
export function ProseRow(row: RowProps) {
  const { draft, set, readOnlyWhy } = useFormWiring();
  return (
    <Row {...row}>
      <Textarea
        rows={2}
        maxLength={500}
        readOnly={readOnlyWhy !== undefined}
        value={textAt(draft.document, row.path)}
        onChange={(event) => set(row.path, event.target.value)}
      />
    </Row>
  );
}

/** A whole number with its unit. What is no number stays out of the document and is found missing. */
export function NumberRow({ unit, ...row }: RowProps & { readonly unit?: string }) {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const value = valueAt(draft.document, row.path);
  return (
    <Row {...row}>
      <NumberInput
        unit={unit}
        min={0}
        readOnly={readOnlyWhy !== undefined}
        value={typeof value === 'number' ? value : ''}
        onChange={(event) => set(row.path, event.target.value === '' ? undefined : event.target.valueAsNumber)}
      />
    </Row>
  );
}

/** One of a few values. A value that is not offered stays visible instead of being replaced. */
export function SelectRow({ options, ...row }: RowProps & { readonly options: readonly SelectOption[] }) {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const value = textAt(draft.document, row.path);
  const known = options.some((option) => option.value === value);
  const first = value === '' ? { value: '', label: 'Choose one', disabled: true } : { value, label: value };
  return (
    <Row {...row}>
      <Select
        options={known ? options : [first, ...options]}
        disabled={readOnlyWhy !== undefined}
        value={value}
        onChange={(event) => set(row.path, event.target.value)}
      />
    </Row>
  );
}
