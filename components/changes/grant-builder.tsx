'use client';

import { useId, useState } from 'react';
import { textAt } from '#components/definitions/document.ts';
import { kindOfType } from '#components/definitions/kind-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { ACTOR_KINDS } from '#gateway/contract/definitions/principal.ts';
import { useFormWiring } from './form-context.ts';
import { GRANT_VERBS, type Grant, type GrantVerb, grantCedar, grantSentence } from './grant-cedar.ts';

interface Asked {
  readonly effect: Grant['effect'];
  readonly by: Grant['who']['by'];
  readonly name: string;
  readonly actorKind: Grant['who']['actorKind'];
  readonly verbs: readonly GrantVerb[];
  readonly type: string;
  readonly tenant: string;
}

/** Writes a common policy from who, what and which type. What is in the editor is replaced only on its button. */
export function GrantBuilder({ type }: { readonly type: string }) {
  const { draft, set } = useFormWiring();
  const groupId = useId();
  const [asked, setAsked] = useState<Asked>({
    effect: 'permit',
    by: 'principal',
    name: '',
    actorKind: 'service',
    verbs: ['read'],
    type,
    tenant: '',
  });
  const put = (part: Partial<Asked>) => setAsked((now) => ({ ...now, ...part }));
  const missing = missingWords(asked);
  const write = () => {
    const grant = grantOf(asked);
    set('cedar', grantCedar(grant));
    if (textAt(draft.document, 'description') === '') set('description', grantSentence(grant));
  };
  return (
    <details open={textAt(draft.document, 'cedar') === '' || undefined} className="border-line border-t pt-3">
      <summary className="min-h-6 rounded-cell font-medium">Write it from a form</summary>
      <div className="mt-3 grid gap-4 tablet:grid-cols-2">
        <Field label="It" required>
          <Select
            options={[
              { value: 'permit', label: 'permits' },
              { value: 'forbid', label: 'forbids, whatever else permits' },
            ]}
            value={asked.effect}
            onChange={(event) => put({ effect: event.target.value === 'forbid' ? 'forbid' : 'permit' })}
          />
        </Field>
        <Field label="To" required>
          <Select
            options={(['principal', 'group'] as const).flatMap((by) =>
              ACTOR_KINDS.map((kind) => ({
                value: `${by} ${kind}`,
                label: by === 'group' ? `${kind}s of a group` : `one ${kind}`,
              })),
            )}
            value={`${asked.by} ${asked.actorKind}`}
            onChange={(event) => put(whoOf(event.target.value))}
          />
        </Field>
        <Field label={asked.by === 'group' ? 'Name of the group' : 'Name of the principal'} required>
          <TextInput mono value={asked.name} onChange={(event) => put({ name: event.target.value.trim() })} />
        </Field>
        <Field label="Type" hint="An object type or an edge type." required>
          <TextInput mono value={asked.type} onChange={(event) => put({ type: event.target.value.trim() })} />
        </Field>
        <fieldset aria-labelledby={groupId}>
          <legend id={groupId} className="mb-1 font-medium">
            To do
          </legend>
          <div className="flex flex-wrap gap-4">
            {GRANT_VERBS.map((verb) => (
              <Checkbox
                key={verb}
                label={verb}
                checked={asked.verbs.includes(verb)}
                onChange={(event) =>
                  put({
                    verbs: GRANT_VERBS.filter((each) =>
                      each === verb ? event.target.checked : asked.verbs.includes(each),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <Field label="In tenant" hint="Empty means its own.">
          <TextInput mono value={asked.tenant} onChange={(event) => put({ tenant: event.target.value.trim() })} />
        </Field>
        <div className="tablet:col-span-2">
          <Button onClick={write} disabledWhy={missing}>
            Write the Cedar
          </Button>
        </div>
      </div>
    </details>
  );
}

function missingWords(asked: Asked): string | undefined {
  if (asked.name === '') return `Name the ${asked.by} first.`;
  if (asked.type === '') return 'Name the type first.';
  return asked.verbs.length === 0 ? 'Choose at least one thing to do.' : undefined;
}

function grantOf(asked: Asked): Grant {
  return {
    effect: asked.effect,
    who: { by: asked.by, name: asked.name, actorKind: asked.actorKind },
    verbs: asked.verbs,
    type: { kind: kindOfType(asked.type), name: asked.type },
    tenant: asked.tenant === '' ? undefined : asked.tenant,
  };
}

function whoOf(value: string): Pick<Asked, 'by' | 'actorKind'> {
  const [by, kind] = value.split(' ');
  return {
    by: by === 'group' ? 'group' : 'principal',
    actorKind: ACTOR_KINDS.find((each) => each === kind) ?? 'service',
  };
}
