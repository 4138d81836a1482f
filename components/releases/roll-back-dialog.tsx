'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { NumberInput } from '#components/ui/number-input.tsx';
import { ReasonField } from '#components/ui/reason-field.tsx';
import type { ReleaseRow } from '#server/contract/releases.ts';
import type { RollbackMode } from '#server/contract/rollouts.ts';
import { rollbackQuery, useRollBack } from './queries.ts';
import { RollbackEffect } from './rollback-effect.tsx';

interface RollBackDialogProps {
  readonly release: ReleaseRow;
  readonly onClose: () => void;
}

/**
 * Asks which way back, says what that does before it is done, and takes the reason. What widens is not done but asked for:
 * then it leads to the change that a second person reviews.
 */
export function RollBackDialog({ release, onClose }: RollBackDialogProps) {
  const { number, isTarget } = release;
  const [chosen, setChosen] = useState<RollbackMode>();
  const [returnTo, setReturnTo] = useState(isTarget ? Math.max(1, number - 1) : number);
  const [reason, setReason] = useState('');
  const undo = useQuery(rollbackQuery(number, 'undo'));
  const mode = chosen ?? (undo.data?.possible.may === false ? 'return' : 'undo');
  const about = mode === 'undo' ? number : returnTo;
  const preview = useQuery(rollbackQuery(about, mode));
  const act = useAct(about, onClose);
  const effectId = useId();
  const asks = (preview.data?.widens.length ?? 0) > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Roll back r${number}?`}
      className="w-[min(40rem,calc(100vw-2rem))]"
      foot={
        <>
          <Button
            look="danger"
            aria-describedby={effectId}
            pending={act.isPending}
            disabledWhy={whyNot({ preview: preview.data, error: preview.error, reason })}
            onClick={() => act.run({ mode, reason: reason.trim(), newest: preview.data?.newest ?? 0 })}
          >
            {asks ? 'Ask for a review' : mode === 'undo' ? `Undo r${number}` : `Return to r${returnTo}`}
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <fieldset className="grid gap-2">
          <legend className="sr-only">Which way back</legend>
          <Checkbox
            kind="radio"
            name="mode"
            checked={mode === 'undo'}
            onChange={() => setChosen('undo')}
            label={`Undo only what r${number} did`}
            hint="What was published after it stays."
          />
          <Checkbox
            kind="radio"
            name="mode"
            checked={mode === 'return'}
            onChange={() => setChosen('return')}
            label="Return everything to an earlier release"
            hint="Undoes every release after it."
          />
        </fieldset>
        {mode === 'return' && (
          <Field label="Release to return to" required>
            <NumberInput
              min={1}
              value={returnTo}
              onChange={(event) => setReturnTo(Math.max(1, Math.trunc(event.target.valueAsNumber) || 1))}
            />
          </Field>
        )}
        <div id={effectId}>
          <RollbackEffect preview={preview} />
        </div>
        <ReasonField value={reason} onChange={(event) => setReason(event.target.value)} />
        {act.error !== null && (
          <p role="alert" className="text-danger">
            {messageOf(act.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Sends it, and goes to what came of it. */
function useAct(about: number, onClose: () => void) {
  const router = useRouter();
  const { toast } = useAnnouncer();
  const mutation = useRollBack(about);
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    run: (body: Parameters<typeof mutation.mutate>[0]) =>
      mutation.mutate(body, {
        onSuccess: ({ release, change }) => {
          onClose();
          if (release !== null) toast(`r${release} rolls it back on all gateways.`);
          router.push(release === null ? `/changes/${change ?? ''}` : `/releases/${release}`);
        },
      }),
  };
}

function whyNot(of: {
  readonly preview: { readonly possible: { readonly may: boolean; readonly why: string } } | undefined;
  readonly error: Error | null;
  readonly reason: string;
}): string | undefined {
  if (of.error !== null) return messageOf(of.error);
  if (of.preview === undefined) return 'What it does is being worked out.';
  if (!of.preview.possible.may) return of.preview.possible.why;
  return of.reason.trim().length < 3 ? 'Write a reason first.' : undefined;
}
