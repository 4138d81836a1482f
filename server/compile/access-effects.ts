import { ACTIONS, type Action } from '#gateway/contract/actions.ts';
import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { type Decider, resourceOf, subjectOf } from './decide.ts';
import { byName, type Catalog, type Effect } from './model.ts';
import type { Resource, Subject } from './subject.ts';
import { listInWords } from './words.ts';

/** One state of the definitions with the decisions under it. */
export interface AccessState {
  readonly catalog: Catalog;
  readonly decider: Decider;
}

/** Subjects that no policy of either state tells apart, by one that stands for them. */
interface SubjectGroup {
  readonly subject: Subject;
  readonly before: Subject | null;
  readonly names: string[];
  /** Stands for every service of a team that no policy names, whether there is one or not. */
  readonly isGeneric: boolean;
}

/** Types that no policy of either state tells apart. `before` is null for new ones. */
interface TypeGroup {
  readonly resource: Resource;
  readonly before: Resource | null;
  readonly names: string[];
}

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
    const generic = genericService(type.resource.ownerTeam, after.catalog);
    const generics: SubjectGroup = { subject: generic, before: generic, names: [], isGeneric: true };
    let isUsable = false;
    for (const group of [generics, ...subjects]) {
      pairs += 1;
      const now = actionsOf(after, group.subject, { resource: type.resource, where: 'own' });
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
    const now = where === 'own' ? pair.now : actionsOf(after, group.subject, { resource: type.resource, where });
    const was =
      type.before === null || group.before === null
        ? new Set<Action>()
        : actionsOf(before, group.before, { resource: type.before, where });
    if (isLikeItsTeam(after, { group, generic, type, where, now })) continue;
    record(shifts, { group, type, where, tone: 'widens', actions: minus(now, was) });
    record(shifts, { group, type, where, tone: 'narrows', actions: minus(was, now) });
  }
}

function groupTypes(before: AccessState, after: AccessState, names: ReadonlySet<string>): readonly TypeGroup[] {
  const groups = new Map<string, TypeGroup>();
  for (const name of [...names].sort()) {
    const type = typeNamed(after.catalog, name);
    if (type === undefined) continue;
    const old = typeNamed(before.catalog, name);
    const resource = resourceOf(type, after.catalog);
    const oldResource = old === undefined ? null : resourceOf(old, before.catalog);
    const key = JSON.stringify([
      after.decider.classes.ofResource(resource),
      oldResource === null ? null : before.decider.classes.ofResource(oldResource),
    ]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { resource, before: oldResource, names: [name] });
    else known.names.push(name);
  }
  return [...groups.values()];
}

function groupSubjects(before: AccessState, after: AccessState): readonly SubjectGroup[] {
  const groups = new Map<string, SubjectGroup>();
  for (const principal of [...after.catalog.principal.values()].toSorted(byName)) {
    const subject = liveSubject(principal, after.catalog);
    if (subject === null) continue;
    const earlier = before.catalog.principal.get(principal.name);
    const old = earlier === undefined ? null : liveSubject(earlier, before.catalog);
    const key = JSON.stringify([
      after.decider.classes.ofSubject(subject),
      old === null ? null : before.decider.classes.ofSubject(old),
    ]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { subject, before: old, names: [subject.name], isGeneric: false });
    else known.names.push(subject.name);
  }
  return [...groups.values()];
}

function typeNamed(catalog: Catalog, name: string): DefinitionOf<'objectType'> | DefinitionOf<'edgeType'> | undefined {
  return catalog.objectType.get(name) ?? catalog.edgeType.get(name);
}

function liveSubject(principal: DefinitionOf<'principal'>, catalog: Catalog): Subject | null {
  return principal.document.disabled ? null : subjectOf(principal, catalog);
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
    readonly type: TypeGroup;
    readonly where: 'own' | 'other';
    readonly now: ReadonlySet<Action>;
  },
): boolean {
  const { group, generic, type, where, now } = about;
  const { actorKind, team } = group.subject;
  if (group.isGeneric || actorKind !== 'service' || team !== generic.team) return false;
  const usual = actionsOf(state, generic, { resource: type.resource, where });
  return usual.size === now.size && [...usual].every((action) => now.has(action));
}

/** Data of a tenant that no policy names and that belongs to another team stands for all other tenants. */
const OTHER_TENANT = '\u0000other';

function actionsOf(
  { decider }: AccessState,
  subject: Subject,
  at: { readonly resource: Resource; readonly where: 'own' | 'other' },
): ReadonlySet<Action> {
  const tenant = at.where === 'own' ? subject.tenant : OTHER_TENANT;
  const isEdge = at.resource.kind === 'edgeType';
  const actions = ACTIONS.filter((action) => action.startsWith('edge.') === isEdge);
  const place = { resource: at.resource, tenant };
  return new Set(actions.filter((action) => decider.decide(subject, action, place).outcome !== 'deny'));
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
