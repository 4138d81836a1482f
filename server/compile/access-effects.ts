import type { Action } from '#gateway/contract/actions.ts';
import {
  type AccessState,
  actionsOf,
  groupSubjects,
  groupTypes,
  type SubjectGroup,
  type TypeGroup,
} from './access-groups.ts';
import type { Catalog, Effect } from './model.ts';
import type { Resource, Subject } from './subject.ts';
import { listInWords } from './words.ts';

interface Shift {
  readonly words: string;
  readonly verbs: string;
  readonly tone: 'widens' | 'narrows';
  readonly where: 'own' | 'other';
  readonly types: string[];
}

/** Pairs of groups looked at in one check; a pair costs up to a dozen decisions. */
const MAX_PAIRS = 2_000;

/**
 * What edits change in who may do what, in sentences: gains and losses per subject, equal ones folded. Looks at the types
 * named in `types` for everybody; besides real principals at a service of each owner team, so that *Who may use it?*
 * has an answer before the first principal exists.
 */
export function accessEffects(before: AccessState, after: AccessState, types: ReadonlySet<string>): readonly Effect[] {
  const shifts = new Map<string, Shift>();
  const unused: string[] = [];
  const subjects = groupSubjects(before, after);
  const groups = groupTypes(before, after, types);
  let pairs = 0;
  for (const type of groups) {
    const team = (type.resource ?? type.before)?.ownerTeam ?? '';
    const generic = genericService(team, after.catalog);
    const generics: SubjectGroup = { subject: generic, before: generic, names: [], isGeneric: true };
    let isUsable = false;
    for (const group of [generics, ...subjects]) {
      pairs += 1;
      const now = actionsAfter(after, { type, group, where: 'own' });
      isUsable ||= now.size > 0;
      recordPair(shifts, { before, after, type, group, generic, now });
    }
    if (!isUsable && type.before === null) unused.push(...type.names);
    if (pairs > MAX_PAIRS) break;
  }
  const cut = pairs > MAX_PAIRS ? [tooMany] : [];
  return [...[...shifts.values()].map(sentence), ...(unused.length === 0 ? [] : [nobody(unused)]), ...cut];
}

function recordPair(
  shifts: Map<string, Shift>,
  pair: {
    readonly before: AccessState;
    readonly after: AccessState;
    readonly type: TypeGroup;
    readonly group: SubjectGroup;
    readonly generic: Subject;
    readonly now: ReadonlySet<Action>;
  },
): void {
  const { before, after, type, group, generic } = pair;
  for (const where of ['own', 'other'] as const) {
    const now = where === 'own' ? pair.now : actionsAfter(after, { type, group, where });
    const was =
      type.before === null || group.before === null
        ? new Set<Action>()
        : actionsOf(before, group.before, { resource: type.before, where });
    const { resource } = type;
    if (resource === null || isLikeItsTeam(after, { group, generic, resource, where, may: now })) {
      // What set it apart before is gone: that is a change of its own, which its team did not see.
      const wasLike =
        type.before === null ||
        group.before === null ||
        isLikeItsTeam(before, { group, generic, resource: type.before, where, may: was });
      if (wasLike) continue;
    }
    record(shifts, { group, type, where, tone: 'widens', actions: minus(now, was) });
    record(shifts, { group, type, where, tone: 'narrows', actions: minus(was, now) });
  }
}

/** What a group may do after the change; nothing to a type that is gone. */
function actionsAfter(
  after: AccessState,
  at: { readonly type: TypeGroup; readonly group: SubjectGroup; readonly where: 'own' | 'other' },
): ReadonlySet<Action> {
  const { resource } = at.type;
  return resource === null ? new Set() : actionsOf(after, at.group.subject, { resource, where: at.where });
}

/** A service nobody names, in a tenant of the team. */
function genericService(team: string, catalog: Catalog): Subject {
  const tenant = [...catalog.tenant.values()].find(({ document }) => document.ownerTeam === team);
  return { name: '', actorKind: 'service', tenant: tenant?.name ?? '', team, groups: [] };
}

/** Service principals that may do exactly what the services of their team may need no sentence of their own. */
function isLikeItsTeam(
  state: AccessState,
  about: {
    readonly group: SubjectGroup;
    readonly generic: Subject;
    readonly resource: Resource;
    readonly where: 'own' | 'other';
    readonly may: ReadonlySet<Action>;
  },
): boolean {
  const { group, generic, resource, where, may } = about;
  const { actorKind, team } = group.subject;
  if (group.isGeneric || actorKind !== 'service' || team !== generic.team) return false;
  const usual = actionsOf(state, generic, { resource, where });
  return usual.size === may.size && [...usual].every((action) => may.has(action));
}

function record(
  shifts: Map<string, Shift>,
  shift: {
    readonly group: SubjectGroup;
    readonly type: TypeGroup;
    readonly where: 'own' | 'other';
    readonly tone: Shift['tone'];
    readonly actions: readonly Action[];
  },
): void {
  if (shift.actions.length === 0) return;
  const { tone, where, type } = shift;
  const words = subjectInWords(shift.group);
  const verbs = listInWords(shift.actions.map((action) => action.split('.')[1] ?? action));
  const key = JSON.stringify([words, verbs, tone, where]);
  const known = shifts.get(key);
  if (known === undefined) shifts.set(key, { words, verbs, tone, where, types: [...type.names] });
  else known.types.push(...type.names);
}

function subjectInWords({ subject, names, isGeneric }: SubjectGroup): string {
  if (isGeneric) return `Services of team ${subject.team}`;
  const kind = subject.actorKind === 'agent' ? 'agent' : `${subject.actorKind} principal`;
  if (names.length === 1) return `${subject.name} (${kind} of ${subject.tenant})`;
  return `${listInWords(names, 4)} (${kind}s of team ${subject.team})`;
}

function sentence({ words, verbs, tone, where, types }: Shift): Effect {
  const may = tone === 'widens' ? 'may' : 'may no longer';
  const place = where === 'own' ? '' : " in other tenants' data";
  return { kind: 'access', tone, text: `${words} ${may} ${verbs} ${listInWords(types.toSorted())}${place}.` };
}

function nobody(names: readonly string[]): Effect {
  return { kind: 'access', tone: 'neutral', text: `Nobody may use ${listInWords(names)} yet: no policy permits it.` };
}

/** Said when a check did not look at everything. */
export const tooMany: Effect = {
  kind: 'access',
  tone: 'neutral',
  text: 'Access to further types may change too: there are more kinds of principals and types than one check compares.',
};

function minus(a: ReadonlySet<Action>, b: ReadonlySet<Action>): readonly Action[] {
  return [...a].filter((action) => !b.has(action));
}
