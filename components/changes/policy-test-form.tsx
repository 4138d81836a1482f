'use client';

import { useId, useState } from 'react';
import { kindOfType } from '#components/definitions/kind-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { focusNow } from '#components/ui/focus-now.ts';
import { Select } from '#components/ui/select.tsx';
import { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import { useFormWiring } from './form-context.ts';
import { GRANT_VERBS } from './grant-cedar.ts';
import { ReferenceInput } from './reference-input.tsx';
import { RequestTaker } from './request-taker.tsx';

interface PolicyTestFormProps {
  readonly isTaken: (test: PolicyTest) => boolean;
  readonly onAdd: (test: PolicyTest) => void;
  readonly onClose: () => void;
}

const NOTHING = { principal: '', expect: 'allow', verb: 'read', resource: '' } as const;
type Asked = { readonly [K in keyof typeof NOTHING]: string };

/** One more test of a policy, read as a sentence: who may or may not do what with which type. */
export function PolicyTestForm({ isTaken, onAdd, onClose }: PolicyTestFormProps) {
  const { book, draft } = useFormWiring();
  const titleId = useId();
  const [asked, setAsked] = useState<Asked>(NOTHING);
  const put = (part: Partial<Asked>) => setAsked((now) => ({ ...now, ...part }));
  const test = testOf(asked);
  const add = () => {
    if (test === undefined) return;
    onAdd(test);
    setAsked({ ...asked, resource: '' });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be the sentence's own row
    <div role="group" aria-labelledby={titleId} className="grid gap-3 border border-line bg-surface p-3">
      <p id={titleId} className="font-medium">
        A test of <span className="font-mono">{draft.name}</span>
      </p>
      <div className="grid gap-3 tablet:grid-cols-2">
        <Field label="Principal" required>
          <ReferenceInput
            kind="principal"
            book={book}
            value={asked.principal}
            onChange={(principal) => put({ principal })}
            ref={focusNow}
          />
        </Field>
        <Field label="Expected" required>
          <Select
            options={[
              { value: 'allow', label: 'may' },
              { value: 'deny', label: 'may not' },
            ]}
            value={asked.expect}
            onChange={(event) => put({ expect: event.target.value })}
          />
        </Field>
        <Field label="What" required>
          <Select
            options={GRANT_VERBS.map((verb) => ({ value: verb, label: verb }))}
            value={asked.verb}
            onChange={(event) => put({ verb: event.target.value })}
          />
        </Field>
        <Field label="Type" required>
          <ReferenceInput kind="type" book={book} value={asked.resource} onChange={(resource) => put({ resource })} />
        </Field>
      </div>
      <RequestTaker onTake={(taken) => setAsked(askedOf(taken))} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={add} disabledWhy={whyNot(asked, test, isTaken)}>
          Add test
        </Button>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

function testOf({ principal, expect, verb, resource }: Asked): PolicyTest | undefined {
  const family = kindOfType(resource) === 'objectType' ? 'object' : 'edge';
  return PolicyTest.safeParse({ principal, expect, action: `${family}.${verb}`, resource }).data;
}

function askedOf({ principal, expect, action, resource }: PolicyTest): Asked {
  return { principal, expect, verb: action.slice(action.indexOf('.') + 1), resource };
}

function whyNot(
  asked: Asked,
  test: PolicyTest | undefined,
  isTaken: (test: PolicyTest) => boolean,
): string | undefined {
  if (asked.principal === '') return 'Name the principal first.';
  if (asked.resource === '') return 'Name the type first.';
  if (test === undefined) return 'One of the names cannot be a name.';
  return isTaken(test) ? 'The policy keeps this test already.' : undefined;
}
