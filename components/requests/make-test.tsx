'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { ReferenceInput } from '#components/changes/reference-input.tsx';
import { definitionQuery } from '#components/definitions/queries.ts';
import { useMyDrafts } from '#components/definitions/use-edit-in-change.ts';
import { PolicyTestLine } from '#components/policies/policy-test-line.tsx';
import { testOfRequest } from '#components/policies/test-of-request.ts';
import { useKeepTest } from '#components/policies/use-keep-test.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import type { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import { STANDING_POLICY } from '#gateway/contract/policy-model.ts';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';

/** *Make a test of this*: what policy answered this request, kept with a policy and checked with every change from then on. */
export function MakeTest({ record }: { readonly record: RequestRecord }) {
  const [isOpen, setOpen] = useState(false);
  const test = testOfRequest(record);
  return (
    <>
      <Button disabledWhy={typeof test === 'string' ? test : undefined} onClick={() => setOpen(true)}>
        Make a test of this
      </Button>
      {isOpen && typeof test !== 'string' && (
        <MakeTestDialog record={record} answered={test} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface MakeTestDialogProps {
  readonly record: RequestRecord;
  readonly answered: PolicyTest;
  readonly onClose: () => void;
}

function MakeTestDialog({ record, answered, onClose }: MakeTestDialogProps) {
  const [change, setChange] = useState<string>();
  const [expect, setExpect] = useState(answered.expect);
  const [policy, setPolicy] = useState(record.policy ?? STANDING_POLICY);
  const foreign = useForeign(record);
  const touching = useQuery({ ...definitionQuery('policy', policy), enabled: policy !== '' }).data?.openChanges ?? [];
  const drafts = useMyDrafts(touching);
  const keep = useKeepTest();
  const test = { ...answered, expect };
  const into = change ?? '';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make a test of this request"
      foot={
        <>
          <Button
            look="primary"
            pending={keep.isPending}
            disabledWhy={foreign ?? (policy === '' ? 'Name the policy that keeps it first.' : undefined)}
            onClick={() => keep.mutate({ policy, test, change: into === '' ? undefined : Number(into) })}
          >
            Add test
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {foreign !== undefined && <p className="text-ink-2">{foreign}</p>}
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium">What should come out</legend>
          {(['allow', 'deny'] as const).map((each) => (
            <Checkbox
              key={each}
              kind="radio"
              name="expect"
              label={labelOf(each, answered.expect)}
              checked={expect === each}
              onChange={() => setExpect(each)}
            />
          ))}
        </fieldset>
        <Field label="Kept with policy" hint="Usually the one that decided." required>
          <ReferenceInput kind="policy" value={policy} onChange={setPolicy} />
        </Field>
        <Field label="In" required>
          <Select
            value={into}
            onChange={(event) => setChange(event.target.value)}
            options={[
              { value: '', label: 'A new change' },
              ...drafts.map(({ number, title }) => ({ value: String(number), label: `∆${number} ${title}` })),
            ]}
          />
        </Field>
        <div className="border-line border-t pt-3">
          <PolicyTestLine
            test={test}
            result={undefined}
            missing="It runs with every check of any change, in the principal’s own tenant and under all policies."
          />
        </div>
        {keep.isError && (
          <p role="alert" className="text-danger">
            {messageOf(keep.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function labelOf(expect: PolicyTest['expect'], answered: PolicyTest['expect']): string {
  const word = expect === 'allow' ? 'Allowed' : 'Denied';
  return expect === answered
    ? `${word}, as it was`
    : `${word}; it should not have been ${expect === 'allow' ? 'denied' : 'allowed'}`;
}

/** A test asks in the principal's own tenant, so a request to another one cannot be made into one. */
function useForeign({ principal, tenant }: RequestRecord): string | undefined {
  const query = useQuery({ ...definitionQuery('principal', principal ?? ''), enabled: principal !== null });
  const definition = query.data?.definition;
  if (definition?.kind !== 'principal' || definition.document.tenant === tenant) return undefined;
  return `A test asks in the principal’s own tenant, ${definition.document.tenant}; this request was to ${tenant}.`;
}
