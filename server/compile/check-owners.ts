import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { CheckFinding } from './finding.ts';

/** A definition that changes hands: `owner_changed`. Both teams are asked for their review. */
export function checkOwner(before: Definition | null, after: Definition | null): readonly CheckFinding[] {
  if (before === null || after === null) return [];
  const [was, is] = [before.document.ownerTeam, after.document.ownerTeam];
  if (was === is) return [];
  return [
    {
      code: 'owner_changed',
      severity: 'info',
      kind: after.kind,
      name: after.name,
      path: 'ownerTeam',
      message: `${after.name} goes from team ${was} to team ${is}.`,
      example: `Team ${was} gives it and team ${is} takes it: each approves.`,
    },
  ];
}
