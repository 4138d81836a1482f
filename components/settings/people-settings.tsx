'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Term } from '#components/ui/term.tsx';
import { ROLES, type Role, type Settings } from '#server/contract/people.ts';
import { NOT_ADMIN } from './not-admin.ts';
import { useSetRoles } from './queries.ts';
import { ROLE_WORDS } from './role-words.ts';

type PersonRow = Settings['people'][number];

/** People with their roles and teams; an admin sets the roles. */
export function PeopleSettings({ settings }: { readonly settings: Settings }) {
  const [edited, setEdited] = useState<PersonRow>();
  const columns: readonly [LedgerColumn<PersonRow>, ...LedgerColumn<PersonRow>[]] = [
    { key: 'name', head: 'Person', cell: ({ name }) => <span className="font-medium">{name}</span> },
    { key: 'email', head: 'Address', cell: ({ email }) => <span className="text-ink-2">{email}</span> },
    {
      key: 'roles',
      head: 'Roles',
      cell: ({ roles }) => (roles.length === 0 ? <span className="text-warn">no role yet</span> : roles.join(', ')),
    },
    { key: 'teams', head: 'Teams', cell: ({ teams }) => <span className="font-mono">{teams.join(', ') || '—'}</span> },
    {
      key: 'act',
      head: '',
      align: 'right',
      phone: 'end',
      cell: (person) => (
        <Button
          look="quiet"
          disabledWhy={settings.canEdit ? undefined : NOT_ADMIN}
          onClick={() => setEdited(person)}
          aria-label={`Set roles of ${person.name}`}
        >
          Set roles
        </Button>
      ),
    },
  ];
  return (
    <>
      <Sentence size="prose" className="mb-4">
        A <Term name="role" /> is a right in the console; a <Term name="team" /> owns definitions. Taking a role away
        bites at the person’s next request.
      </Sentence>
      <Ruled>
        <Ledger label="People" columns={columns} rows={settings.people} rowKey={({ id }) => id} />
      </Ruled>
      {edited !== undefined && <RolesDialog key={edited.id} person={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function RolesDialog({ person, onClose }: { readonly person: PersonRow; readonly onClose: () => void }) {
  const [roles, setRoles] = useState<readonly Role[]>(person.roles);
  const setRolesOf = useSetRoles();
  const { toast } = useAnnouncer();
  const gains = roles.filter((role) => !person.roles.includes(role));
  const loses = person.roles.filter((role) => !roles.includes(role));
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Roles of ${person.name}`}
      act="Set roles"
      reason="required"
      pending={setRolesOf.isPending}
      error={setRolesOf.isError ? <p className="text-danger">{messageOf(setRolesOf.error)}</p> : undefined}
      onConfirm={(reason) =>
        setRolesOf.mutate(
          { id: person.id, roles, reason },
          {
            onSuccess: () => {
              toast(`${person.name} has the roles ${roles.join(', ') || 'none'}.`);
              onClose();
            },
          },
        )
      }
    >
      <fieldset className="grid gap-2 text-body">
        <legend className="sr-only">Roles</legend>
        {ROLES.map((role) => (
          <Checkbox
            key={role}
            label={role}
            hint={ROLE_WORDS[role]}
            checked={roles.includes(role)}
            onChange={(event) =>
              setRoles(event.target.checked ? [...roles, role] : roles.filter((held) => held !== role))
            }
          />
        ))}
      </fieldset>
      <p>{effectSentence(person.name, gains, loses)}</p>
    </ConfirmEffect>
  );
}

function effectSentence(name: string, gains: readonly Role[], loses: readonly Role[]): string {
  if (gains.length === 0 && loses.length === 0) return `${name}'s roles stay as they are.`;
  const parts = [];
  if (gains.length > 0) parts.push(`gains ${gains.join(', ')}`);
  if (loses.length > 0) parts.push(`loses ${loses.join(', ')} at the next request`);
  return `${name} ${parts.join(' and ')}.`;
}
