'use client';

import { textAt, valueAt } from '#components/definitions/document.ts';
import { Select } from '#components/ui/select.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { useFormWiring } from './form-context.ts';
import { Row, TextRow } from './form-rows.tsx';

const OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'deprecated-warn', label: 'Deprecated: served, and every reply says so' },
  { value: 'deprecated-error', label: 'Refused: every request gets type_deprecated' },
];

/** How far a published type is on its way out. It is removed in a change of its own, once nobody asks for it. */
export function LifecycleRows() {
  const { draft, set, readOnlyWhy } = useFormWiring();
  if (draft.base === null) return null;
  const state = textAt(draft.document, 'lifecycle.state');
  const choose = (next: string) => {
    if (next === 'active') set('lifecycle', undefined);
    else if (state === '') set('lifecycle', { state: next, since: new Date().toISOString().slice(0, 10) });
    else set('lifecycle.state', next);
  };
  return (
    <fieldset className="grid gap-5">
      <legend className="sr-only">Lifecycle</legend>
      <Row
        path="lifecycle.state"
        label="Lifecycle"
        hint="On its way out: first warn, then refuse, then remove it. Who still uses it stands on its page."
      >
        <Select
          options={OPTIONS}
          disabled={readOnlyWhy !== undefined}
          value={state === '' ? 'active' : state}
          onChange={(event) => choose(event.target.value)}
        />
      </Row>
      {state !== '' && (
        <>
          <div className="grid gap-5 tablet:grid-cols-2">
            <DayRow path="lifecycle.since" label="Deprecated since" />
            <DayRow path="lifecycle.sunset" label="To go on" isOptional />
          </div>
          <TextRow
            path="lifecycle.replacement"
            label="Instead"
            required={false}
            hint="Replies quote it: what its callers should use."
          />
        </>
      )}
    </fieldset>
  );
}

function DayRow({ path, label, isOptional = false }: { path: string; label: string; isOptional?: boolean }) {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const value = valueAt(draft.document, path);
  return (
    <Row path={path} label={label} required={!isOptional}>
      <TextInput
        type="date"
        readOnly={readOnlyWhy !== undefined}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => set(path, event.target.value === '' ? undefined : event.target.value)}
      />
    </Row>
  );
}

/** *deprecated since 2026-12-01*, for the fold; nothing for an active type. */
export function lifecycleWords(document: Parameters<typeof valueAt>[0]): string {
  const state = textAt(document, 'lifecycle.state');
  return state === '' ? '' : ` · ${state} since ${textAt(document, 'lifecycle.since')}`;
}
