'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { NumberInput } from '#components/ui/number-input.tsx';
import type { RolloutRules } from '#server/contract/rollouts.ts';
import { rulesQuery, useSetRules } from './queries.ts';

/** Opens the rules by which releases go out. Whoever may not set them can read them. */
export function RolloutRulesControl() {
  const { data } = useQuery(rulesQuery());
  const [isOpen, setOpen] = useState(false);
  if (data === undefined) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        How releases go out
      </Button>
      {isOpen && <RulesDialog rules={data.rules} why={data.may.why} onClose={() => setOpen(false)} />}
    </>
  );
}

interface RulesDialogProps {
  readonly rules: RolloutRules;
  /** Why they cannot be set; '' when they can. */
  readonly why: string;
  readonly onClose: () => void;
}

function RulesDialog({ rules, why, onClose }: RulesDialogProps) {
  const [draft, setDraft] = useState(rules);
  const save = useSetRules();
  const isShort = !(draft.afterSeconds >= 10 && draft.afterSeconds <= 86_400);
  return (
    <Dialog
      open
      onClose={onClose}
      title="How releases go out"
      foot={
        <>
          <Button
            look="primary"
            pending={save.isPending}
            disabledWhy={why !== '' ? why : isShort ? 'Set a wait of 10 seconds to a day.' : undefined}
            onClick={() => save.mutate(draft, { onSuccess: onClose })}
          >
            Save rules
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Checkbox
          label="In stages"
          hint="Under four gateways one takes a release first, then all; from four on a tenth, half, all. With one gateway there are no stages. Emergencies and keys go to all at once."
          checked={draft.staged}
          onChange={(event) => setDraft({ ...draft, staged: event.target.checked })}
        />
        {draft.staged && (
          <>
            <fieldset className="grid gap-2">
              <legend className="mb-1 font-medium">The next stage opens</legend>
              <Checkbox
                kind="radio"
                name="promotes"
                checked={draft.promotes === 'on evidence'}
                onChange={() => setDraft({ ...draft, promotes: 'on evidence' })}
                label="by itself, when nothing got worse"
                hint="Failures, refusals and p99 of the gateways that have it are compared with those that do not. What is worse halts it."
              />
              <Checkbox
                kind="radio"
                name="promotes"
                checked={draft.promotes === 'by hand'}
                onChange={() => setDraft({ ...draft, promotes: 'by hand' })}
                label="by hand"
                hint="What is worse still halts it."
              />
            </fieldset>
            <Field
              label="Live for at least"
              hint="With too few requests to compare it waits five times as long."
              error={isShort ? '10 seconds to a day.' : undefined}
              required
            >
              <NumberInput
                unit="seconds"
                min={10}
                max={86_400}
                value={Number.isNaN(draft.afterSeconds) ? '' : draft.afterSeconds}
                onChange={(event) => setDraft({ ...draft, afterSeconds: Math.trunc(event.target.valueAsNumber) })}
              />
            </Field>
          </>
        )}
        {save.isError && (
          <p role="alert" className="text-danger">
            {messageOf(save.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
