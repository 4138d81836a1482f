'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { ROLES, Role, type Settings } from '#server/contract/people.ts';
import { NOT_ADMIN } from './not-admin.ts';
import { useSetRoleMappings } from './queries.ts';

type Mapping = Settings['roleMappings'][number];

/** Groups of the identity provider that give roles here. Works without a restart. */
export function RoleMappings({ settings }: { readonly settings: Settings }) {
  const save = useSetRoleMappings();
  const { toast } = useAnnouncer();
  const [group, setGroup] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const mappings = settings.roleMappings;
  const put = (next: readonly Mapping[], says: string) => save.mutate([...next], { onSuccess: () => toast(says) });
  const why = settings.canEdit ? undefined : NOT_ADMIN;
  const isKnown = mappings.some((mapping) => mapping.group === group.trim() && mapping.role === role);
  return (
    <div className="grid max-w-2xl gap-4">
      <Sentence size="prose">
        A person who signs in through the identity provider has the roles of the groups in the token, and those given by
        hand.
      </Sentence>
      <div className="border border-line bg-surface">
        {mappings.length === 0 ? (
          <Empty>
            No group gives a role yet. Name a group as the identity provider writes it, and the role its members get.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {mappings.map((mapping) => (
              <li key={`${mapping.group} ${mapping.role}`} className="flex min-h-(--row) items-center gap-3 px-4">
                <bdi className="min-w-0 grow font-mono">{mapping.group}</bdi>
                <span>{mapping.role}</span>
                <Button
                  look="quiet"
                  disabledWhy={why}
                  pending={save.isPending}
                  aria-label={`Remove ${mapping.group}: ${mapping.role}`}
                  onClick={() =>
                    put(
                      mappings.filter((other) => other !== mapping),
                      `Group ${mapping.group} gives ${mapping.role} no more.`,
                    )
                  }
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          put([...mappings, { group: group.trim(), role }], `Members of ${group.trim()} have the role ${role}.`);
          setGroup('');
        }}
      >
        <Field label="Group" required className="grow basis-56">
          <TextInput mono maxLength={200} value={group} onChange={(event) => setGroup(event.target.value)} />
        </Field>
        <Field label="Role" required className="w-40">
          <Select
            value={role}
            onChange={(event) => setRole(Role.parse(event.target.value))}
            options={ROLES.map((value) => ({ value, label: value }))}
          />
        </Field>
        <Button
          type="submit"
          disabledWhy={
            why ??
            (group.trim() === '' ? 'Name a group first.' : isKnown ? 'This group gives this role already.' : undefined)
          }
          pending={save.isPending}
        >
          Add group
        </Button>
      </form>
      {save.isError && (
        <p role="alert" className="text-danger">
          Nothing was changed. {messageOf(save.error)}
        </p>
      )}
    </div>
  );
}
