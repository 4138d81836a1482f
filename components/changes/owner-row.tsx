'use client';

import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '#components/definitions/queries.ts';
import { useMe } from '#components/shell/queries.ts';
import { SelectRow } from './form-rows.tsx';

/** The team that owns a definition: mine first. */
export function OwnerRow() {
  const teams = useQuery(settingsQuery).data?.teams ?? [];
  const mine = useMe().data?.teams ?? [];
  const ordered = [...teams].sort((a, b) => Number(mine.includes(b.name)) - Number(mine.includes(a.name)));
  return (
    <SelectRow
      path="ownerTeam"
      label="Owner"
      hint="Its people review later changes of it."
      options={ordered.map((team) => ({
        value: team.name,
        label: mine.includes(team.name) ? `${team.displayName} (yours)` : team.displayName,
      }))}
    />
  );
}
