'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { REVIEW_KINDS, REVIEW_MODES, ReviewKind, type Settings } from '#server/contract/people.ts';
import { useSetReviewMode } from './queries.ts';
import { REVIEW_KIND_WORDS, REVIEW_WORDS } from './role-words.ts';

interface ReviewDialogProps {
  readonly team: Settings['teams'][number];
  readonly onClose: () => void;
}

/** How one kind of a team's definitions is reviewed from now on. */
export function ReviewDialog({ team, onClose }: ReviewDialogProps) {
  const [kind, setKind] = useState<ReviewKind>('types');
  const [chosen, setChosen] = useState(team.reviewModes);
  const setReviewMode = useSetReviewMode();
  const { toast } = useAnnouncer();
  const mode = chosen[kind];
  const what = `${REVIEW_KIND_WORDS[kind].toLowerCase()} of ${team.displayName}`;
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Review of ${team.displayName}`}
      act="Set review"
      reason="required"
      pending={setReviewMode.isPending}
      error={setReviewMode.isError ? <p className="text-danger">{messageOf(setReviewMode.error)}</p> : undefined}
      onConfirm={(reason) =>
        setReviewMode.mutate(
          { team: team.name, kind, reviewMode: mode, reason },
          {
            onSuccess: () => {
              toast(`Changes of ${what} are reviewed: ${mode}.`);
              onClose();
            },
          },
        )
      }
    >
      <Field label="What" required>
        <Select
          value={kind}
          onChange={(event) => setKind(ReviewKind.parse(event.target.value))}
          options={REVIEW_KINDS.map((value) => ({ value, label: REVIEW_KIND_WORDS[value] }))}
        />
      </Field>
      <fieldset className="grid gap-2 text-body">
        <legend className="sr-only">Review</legend>
        {REVIEW_MODES.map((option) => (
          <Checkbox
            key={option}
            kind="radio"
            name="review"
            label={option}
            hint={REVIEW_WORDS[option]}
            checked={mode === option}
            onChange={() => setChosen({ ...chosen, [kind]: option })}
          />
        ))}
      </fieldset>
      <p>
        {mode === team.reviewModes[kind]
          ? 'Review stays as it is.'
          : `From now on changes of ${what} are reviewed: ${mode}. Approvals given so far stay.`}
      </p>
    </ConfirmEffect>
  );
}
