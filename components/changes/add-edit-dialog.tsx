'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { KINDS } from '#components/definitions/kind-words.ts';
import { definitionsQuery } from '#components/definitions/queries.ts';
import { useMe } from '#components/shell/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { focusFirst } from '#components/ui/focus-first.ts';
import { TextInput } from '#components/ui/text-input.tsx';
import { DEFINITION_KINDS, type DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { DefinitionRow } from '#server/contract/definitions.ts';
import type { AddedEdit } from './added-edit.ts';
import { type DraftBook, draftKey } from './draft-book.ts';
import { nameError } from './name-row.tsx';
import { newDocument } from './new-document.ts';
import { PublishedPicker } from './published-picker.tsx';
import { TakenName } from './taken-name.tsx';

interface AddEditDialogProps {
  readonly book: DraftBook;
  readonly initialKind: DefinitionKind;
  /** What a new principal or policy is for. */
  readonly forName: string;
  readonly onAdd: (edit: AddedEdit) => void;
  readonly onClose: () => void;
}

/** Adds an edit: something new of a kind with its name, or something published to be changed. */
export function AddEditDialog({ book, initialKind, forName, onAdd, onClose }: AddEditDialogProps) {
  const [kind, setKind] = useState<DefinitionKind | 'published'>(initialKind);
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const team = useMe().data?.teams[0] ?? '';
  const taken = useTaken(kind, name);
  const error =
    kind === 'published'
      ? undefined
      : (nameError(name, { kind, isTaken: book.has(draftKey(kind, name)) }) ??
        (taken === undefined ? undefined : `Team ${taken.ownerTeam} published ${name} already.`));
  const add = () => {
    setTried(true);
    if (kind === 'published' || error !== undefined) return;
    const document = {
      ...newDocument(kind, team),
      ...(kind === 'principal' && forName !== '' ? { tenant: forName } : {}),
    };
    onAdd({ kind, name, document, base: null });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add an edit"
      foot={
        <>
          {kind !== 'published' && (
            <Button look="primary" onClick={add}>
              Add {KINDS[kind].one}
            </Button>
          )}
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <fieldset className="grid gap-2 tablet:grid-cols-2">
          <legend className="mb-2 font-medium">What</legend>
          {DEFINITION_KINDS.map((each) => (
            <Checkbox
              key={each}
              kind="radio"
              name="kind"
              label={`New ${KINDS[each].one}`}
              checked={kind === each}
              onChange={() => setKind(each)}
            />
          ))}
          <Checkbox
            kind="radio"
            name="kind"
            label="Something published"
            checked={kind === 'published'}
            onChange={() => setKind('published')}
          />
        </fieldset>
        {kind === 'published' ? (
          <PublishedPicker book={book} onPick={onAdd} />
        ) : (
          <>
            <Field label="Name" hint={KINDS[kind].about} error={isTried || name !== '' ? error : undefined} required>
              <TextInput mono ref={focusFirst} value={name} onChange={(event) => setName(event.target.value)} />
            </Field>
            {taken !== undefined && <TakenName row={taken} onAdd={onAdd} />}
          </>
        )}
      </form>
    </Dialog>
  );
}

/** A name that is published already belongs to somebody: it is used or edited, not added. */
function useTaken(kind: DefinitionKind | 'published', name: string): DefinitionRow | undefined {
  const isValid = kind !== 'published' && KINDS[kind].nameSchema.safeParse(name).success;
  const query = useQuery({
    ...definitionsQuery({ kind: kind === 'published' ? 'objectType' : kind, q: name, limit: 20 }),
    enabled: isValid,
  });
  return isValid ? query.data?.items.find((row) => row.name === name) : undefined;
}
