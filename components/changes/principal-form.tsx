'use client';

import { useState } from 'react';
import { valueAt } from '#components/definitions/document.ts';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { ACTOR_KINDS } from '#gateway/contract/definitions/principal.ts';
import { useFormWiring } from './form-context.ts';
import { ProseRow, Row, SelectRow } from './form-rows.tsx';
import { NameRow } from './name-row.tsx';
import { OwnerRow } from './owner-row.tsx';
import { ReferenceRow } from './reference-row.tsx';

const KIND_LABELS = {
  service: 'Service principal: a program of the tenant',
  user: 'User principal: a person, through a program',
  agent: 'Agent: decides by itself, gets only what is granted to agents by name',
  operator: 'Operator principal: a tool of those who run Habitat',
} as const;

/** A principal: whose it is and what kind of actor. Its keys are made on its page once it is published. */
export function PrincipalForm({ onRenamed }: { readonly onRenamed: (key: string) => void }) {
  const { draft, set, readOnlyWhy } = useFormWiring();
  return (
    <>
      <NameRow
        hint="Small letters, digits and hyphens, like chat-api. Keys and the audit log carry it."
        onRenamed={onRenamed}
      />
      <ReferenceRow path="tenant" label="Tenant" kind="tenant" hint="It calls for this tenant only." />
      <SelectRow
        path="actorKind"
        label="Actor kind"
        options={ACTOR_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
      />
      <ProseRow path="description" label="Who calls with it" hint="One sentence." />
      <OwnerRow />
      <GroupsRow />
      <Checkbox
        label="Disabled"
        hint="Every call with its keys is refused as unauthenticated."
        checked={valueAt(draft.document, 'disabled') === true}
        disabled={readOnlyWhy !== undefined}
        onChange={(event) => set('disabled', event.target.checked)}
      />
      <p className="text-ink-2">Its keys are made on its page once this change is published.</p>
    </>
  );
}

function GroupsRow() {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const groups = valueAt(draft.document, 'groups');
  const [text, setText] = useState(Array.isArray(groups) ? groups.join(', ') : '');
  return (
    <Row path="groups" label="Groups" hint="Separated by commas. Policies can name them." required={false}>
      <TextInput
        mono
        readOnly={readOnlyWhy !== undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          set('groups', groupsOf(event.target.value));
        }}
      />
    </Row>
  );
}

/** The groups in a comma-separated line, each once. */
function groupsOf(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((group) => group.trim())
        .filter((group) => group !== ''),
    ),
  ];
}
