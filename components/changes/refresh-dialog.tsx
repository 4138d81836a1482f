'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { useChangeAct } from './queries.ts';

type Side = 'mine' | 'theirs';

interface RefreshDialogProps {
  readonly number: number;
  /** Each place that both sides set, with the sentence that says how. */
  readonly overlaps: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

/** Lays an outdated change over what was published since, asking for each place that both sides set. */
export function RefreshDialog({ number, overlaps, onClose }: RefreshDialogProps) {
  const refresh = useChangeAct(number);
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const places = Object.entries(overlaps);
  const open = places.filter(([place]) => choices[place] === undefined).length;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Bring ∆${number} up to date`}
      foot={
        <>
          <Button
            look="primary"
            disabledWhy={open === 0 ? undefined : 'Choose whose value stays for each place first.'}
            pending={refresh.isPending}
            onClick={() => refresh.mutate({ act: 'refresh', choices }, { onSuccess: onClose })}
          >
            Bring up to date
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {places.map(([place, sentence]) => (
          <fieldset key={place} className="grid gap-2">
            <legend className="mb-1 max-w-full">
              <bdi className="font-mono text-ink-2 text-meta">{placeInWords(place)}</bdi>
              <span className="block">{sentence}</span>
            </legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <Checkbox
                key={side}
                kind="radio"
                name={place}
                label={side === 'mine' ? 'Keep what this change sets' : 'Keep what is published'}
                checked={choices[place] === side}
                onChange={() => setChoices((now) => ({ ...now, [place]: side }))}
              />
            ))}
          </fieldset>
        ))}
        {refresh.isError && (
          <p role="alert" className="text-danger">
            {messageOf(refresh.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** `objectType/Message/maxBytes` as people write it: `Message.maxBytes`. A removal overlaps as a whole. */
function placeInWords(place: string): string {
  const [, name = '', ...path] = place.split('/');
  return [name, ...path].filter((part) => part !== '').join('.');
}
