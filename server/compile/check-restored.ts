import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { checkCompatibility } from './check-compatibility.ts';
import type { CheckFinding } from './finding.ts';
import { keyOf } from './model.ts';

/**
 * Names that come back after a removal: `restored` says what returns with them, and whatever the store's layout could not
 * follow then it cannot follow now (`edge_ends_changed`, `cardinality_narrowed`, narrower limits).
 */
export function checkRestored(removed: readonly Definition[], valid: readonly Definition[]): readonly CheckFinding[] {
  const last = new Map(removed.map((definition) => [keyOf(definition), definition]));
  return valid.flatMap((definition): readonly CheckFinding[] => {
    const before = last.get(keyOf(definition));
    return before === undefined ? [] : [restored(definition), ...checkCompatibility(before, definition)];
  });
}

function restored({ kind, name }: Definition): CheckFinding {
  const isType = kind === 'objectType' || kind === 'edgeType';
  const message = isType
    ? `${name} was removed before. It comes back with its history and with whatever is stored under it.`
    : `${name} was removed before. It comes back with its history.`;
  return { code: 'restored', severity: 'info', kind, name, path: '', message };
}
