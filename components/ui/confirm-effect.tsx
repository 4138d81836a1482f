'use client';

import { useId, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { ReasonField } from './reason-field.tsx';
import { TextInput } from './text-input.tsx';

interface ConfirmEffectProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The question, verb + noun: `Revoke hk_7Q…?`. */
  readonly title: string;
  /** The effect as sentences: what it cuts off, who is affected, what stays, how to undo it. */
  readonly children: React.ReactNode;
  /** The act on the button: `Revoke key`. */
  readonly act: string;
  readonly look?: 'primary' | 'danger' | undefined;
  /** `required` asks for a reason before it can be confirmed. */
  readonly reason?: 'required' | 'none' | undefined;
  /** Type-to-confirm, only for what cannot be undone: the name to type. */
  readonly typeToConfirm?: string | undefined;
  readonly pending?: boolean | undefined;
  /** The server's refusal; the dialog and what was typed stay. */
  readonly error?: React.ReactNode;
  readonly onConfirm: (reason: string) => void;
}

/** Asks before an act that others feel: the effect in sentences, a reason, one button. Stays pending until the server answers. */
export function ConfirmEffect(props: ConfirmEffectProps) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const effectId = useId();
  const needsReason = props.reason === 'required';
  const why =
    needsReason && reason.trim() === ''
      ? 'Write a reason first.'
      : props.typeToConfirm !== undefined && typed !== props.typeToConfirm
        ? `Type ${props.typeToConfirm} first.`
        : undefined;
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      describedBy={effectId}
      foot={
        <>
          <Button
            look={props.look ?? 'primary'}
            disabledWhy={why}
            pending={props.pending}
            onClick={() => props.onConfirm(reason.trim())}
          >
            {props.act}
          </Button>
          <Button look="quiet" onClick={props.onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div id={effectId} className="grid gap-2 text-prose">
          {props.children}
        </div>
        {needsReason && <ReasonField value={reason} onChange={(event) => setReason(event.target.value)} />}
        {props.typeToConfirm !== undefined && (
          <Field label={`Type ${props.typeToConfirm}`} hint="This cannot be undone." required>
            <TextInput mono value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        )}
        {props.error !== undefined && <div role="alert">{props.error}</div>}
      </div>
    </Dialog>
  );
}
