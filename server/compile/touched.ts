import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { type AccessState, actionsOf, groupSubjects, groupTypes } from './access-groups.ts';
import { isType } from './check-lifecycle.ts';
import { createDecider } from './decide.ts';
import { type CheckResult, type DraftEdit, keyOf } from './model.ts';

/** One finished edit: what was published and what would be; null when there was or will be nothing. */
export interface Comparison {
  readonly edit: DraftEdit;
  readonly before: Definition | null;
  readonly after: Definition | null;
}

/** What a change can make a difference to: where checks look for evidence. */
export interface Touched {
  readonly comparisons: readonly Comparison[];
  /** Edited types, and those that somebody could use otherwise than before. */
  readonly types: ReadonlySet<string>;
  /** Edited principals and those of edited tenants. */
  readonly principals: ReadonlySet<string>;
  readonly tenants: ReadonlySet<string>;
}

/** Codes of drafts that say nothing yet of what they would do. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'name_invalid',
  'field_missing',
  'field_invalid',
  'field_unknown',
  'cedar_syntax',
  'cedar_not_one_policy',
  'cedar_invalid',
  'nothing_to_remove',
]);

/** The edits of which it can be told what they would do. The others are left as they are published until they are mended. */
export function finishedEdits(edits: readonly DraftEdit[], { findings }: Pick<CheckResult, 'findings'>) {
  const unreadable = new Set(findings.filter(({ code }) => UNREADABLE.has(code)).map(keyOf));
  return edits.filter((edit) => !unreadable.has(keyOf(edit)));
}

/** What finished edits touch. `checked` is the result of checking exactly these. */
export function touchedBy(edits: readonly DraftEdit[], { before, after }: CheckResult): Touched {
  const comparisons = edits.map((edit) => ({
    edit,
    before: before.catalog[edit.kind].get(edit.name) ?? null,
    after: after.catalog[edit.kind].get(edit.name) ?? null,
  }));
  const names = (kind: DraftEdit['kind']) =>
    new Set(edits.filter((edit) => edit.kind === kind).map(({ name }) => name));
  const tenants = names('tenant');
  const principals = names('principal');
  for (const state of [before, after]) {
    for (const { name, document } of state.catalog.principal.values()) {
      if (tenants.has(document.tenant)) principals.add(name);
    }
  }
  return { comparisons, tenants, principals, types: typesOf(comparisons, { before, after }) };
}

function typesOf(
  comparisons: readonly Comparison[],
  { before, after }: Pick<CheckResult, 'before' | 'after'>,
): ReadonlySet<string> {
  const edited = comparisons.flatMap((one) => [one.before, one.after]).filter((one) => one !== null && isType(one));
  const types = new Set<string>(edited.map((definition) => definition?.name ?? ''));
  const edges = [...after.catalog.edgeType.values()].filter(({ document }) => types.has(document.from));
  // An edge type has the classification of the object type it starts from.
  for (const { name } of edges) types.add(name);
  if (!comparisons.some(({ edit }) => edit.kind === 'policy')) return types;
  const all = new Set([...after.catalog.objectType.keys(), ...after.catalog.edgeType.keys()]);
  const states = {
    before: { catalog: before.catalog, decider: createDecider('before', before.policies) },
    after: { catalog: after.catalog, decider: createDecider('after', after.policies) },
  };
  for (const name of shifted(states, all)) types.add(name);
  return types;
}

/** Types that somebody may use otherwise than before. */
function shifted(
  { before, after }: { readonly before: AccessState; readonly after: AccessState },
  all: ReadonlySet<string>,
): readonly string[] {
  const subjects = groupSubjects(before, after);
  return groupTypes(before, after, all).flatMap((type) => {
    const { before: old, resource } = type;
    if (old === null || resource === null) return type.names;
    const moves = subjects.some((group) => {
      const was = group.before;
      if (was === null) return true;
      return (['own', 'other'] as const).some(
        (where) =>
          [...actionsOf(before, was, { resource: old, where })].join() !==
          [...actionsOf(after, group.subject, { resource, where })].join(),
      );
    });
    return moves ? type.names : [];
  });
}
