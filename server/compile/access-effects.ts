import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { ACTIONS, type Action } from '#gateway/contract/release.ts';
import { type Decider, type Resource, resourceOf, type Subject, subjectOf } from './decide.ts';
import { byName, type Catalog, type Effect } from './model.ts';
import { listInWords } from './words.ts';

/** One state of the definitions with the decisions under it. */
export interface AccessState {
  readonly catalog: Catalog;
  readonly decider: Decider;
}

/** A subject and how sentences name it. */
interface NamedSubject {
  readonly subject: Subject;
  readonly words: string;
  /** Stands for every service of the team that no policy names. */
  readonly isGeneric: boolean;
}

interface Shift {
  readonly words: string;
  readonly verbs: string;
  readonly tone: 'widens' | 'narrows';
  readonly where: 'own' | 'other';
  readonly resources: string[];
}

/**
 * What edits change in who may do what, in sentences: gains and losses per subject, equal ones folded. Looks at the types
 * named in `types` for everybody; besides real principals at a service of each owner team, so that *Who may use it?*
 * has an answer before the first principal exists.
 */
export function accessEffects(before: AccessState, after: AccessState, types: ReadonlySet<string>): readonly Effect[] {
  const shifts = new Map<string, Shift>();
  const unused: string[] = [];
  for (const type of typesOf(after.catalog, types)) {
    const resource = resourceOf(type, after.catalog);
    const old = typesOf(before.catalog, new Set([type.name]))[0];
    const oldResource = old === undefined ? null : resourceOf(old, before.catalog);
    let isUsable = false;
    for (const named of subjectsFor(resource, after.catalog)) {
      const is = actionsOf(after, named.subject, { resource, where: 'own' });
      if (is.size > 0) isUsable = true;
      for (const where of ['own', 'other'] as const) {
        const now = where === 'own' ? is : actionsOf(after, named.subject, { resource, where });
        const was = previousActions({ before, named, oldResource, where });
        if (!named.isGeneric && where === 'own' && isLikeItsTeam(after, named, { resource, actions: now })) continue;
        record(shifts, named, { resource, where, tone: 'widens', actions: minus(now, was) });
        record(shifts, named, { resource, where, tone: 'narrows', actions: minus(was, now) });
      }
    }
    if (!isUsable && old === undefined) unused.push(type.name);
  }
  return [...[...shifts.values()].map(sentence), ...unused.map(nobody)];
}

function typesOf(
  catalog: Catalog,
  names: ReadonlySet<string>,
): readonly (DefinitionOf<'objectType'> | DefinitionOf<'edgeType'>)[] {
  return [...catalog.objectType.values(), ...catalog.edgeType.values()]
    .filter(({ name }) => names.has(name))
    .toSorted(byName);
}

function subjectsFor(resource: Resource, catalog: Catalog): readonly NamedSubject[] {
  const principals = [...catalog.principal.values()].toSorted(byName).flatMap((principal): NamedSubject[] => {
    const subject = subjectOf(principal, catalog);
    if (subject === null || principal.document.disabled) return [];
    return [{ subject, words: `${subject.name} (${kindWords(subject)} of ${subject.tenant})`, isGeneric: false }];
  });
  return [genericService(resource.ownerTeam, catalog), ...principals];
}

/** A service nobody names, in a tenant of the team. */
function genericService(team: string, catalog: Catalog): NamedSubject {
  const tenant = [...catalog.tenant.values()].toSorted(byName).find(({ document }) => document.ownerTeam === team);
  const subject: Subject = { name: '', actorKind: 'service', tenant: tenant?.name ?? '', team, groups: [] };
  return { subject, words: `Services of team ${team}`, isGeneric: true };
}

/** A service principal that may do exactly what the services of its team may needs no sentence of its own. */
function isLikeItsTeam(
  state: AccessState,
  { subject }: NamedSubject,
  at: { readonly resource: Resource; readonly actions: ReadonlySet<Action> },
): boolean {
  if (subject.actorKind !== 'service' || subject.team !== at.resource.ownerTeam) return false;
  const generic = genericService(subject.team, state.catalog).subject;
  return sameSet(at.actions, actionsOf(state, generic, { resource: at.resource, where: 'own' }));
}

function previousActions(input: {
  readonly before: AccessState;
  readonly named: NamedSubject;
  readonly oldResource: Resource | null;
  readonly where: 'own' | 'other';
}): ReadonlySet<Action> {
  const { before, named, oldResource, where } = input;
  if (oldResource === null) return new Set();
  const old = named.isGeneric ? named.subject : previousSubject(before.catalog, named.subject.name);
  return old === null ? new Set() : actionsOf(before, old, { resource: oldResource, where });
}

function previousSubject(catalog: Catalog, name: string): Subject | null {
  const principal = catalog.principal.get(name);
  return principal === undefined || principal.document.disabled ? null : subjectOf(principal, catalog);
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
  return new Set(
    ACTIONS.filter((action) => action.startsWith('edge.') === isEdge).filter(
      (action) => decider.decide(subject, action, { resource: at.resource, tenant }).outcome !== 'deny',
    ),
  );
}

function record(
  shifts: Map<string, Shift>,
  { words }: NamedSubject,
  shift: {
    readonly resource: Resource;
    readonly where: 'own' | 'other';
    readonly tone: Shift['tone'];
    readonly actions: readonly Action[];
  },
): void {
  if (shift.actions.length === 0) return;
  const verbs = listInWords(shift.actions.map((action) => action.split('.')[1] ?? action));
  const key = JSON.stringify([words, verbs, shift.tone, shift.where]);
  const known = shifts.get(key);
  if (known === undefined) {
    shifts.set(key, { words, verbs, tone: shift.tone, where: shift.where, resources: [shift.resource.name] });
  } else known.resources.push(shift.resource.name);
}

function sentence({ words, verbs, tone, where, resources }: Shift): Effect {
  const may = tone === 'widens' ? 'may' : 'may no longer';
  const place = where === 'own' ? '' : " in other tenants' data";
  return { kind: 'access', tone, text: `${words} ${may} ${verbs} ${listInWords(resources)}${place}.` };
}

function nobody(name: string): Effect {
  return { kind: 'access', tone: 'neutral', text: `Nobody may use ${name} yet: no policy permits it.` };
}

function kindWords({ actorKind }: Subject): string {
  return actorKind === 'agent' ? 'agent' : `${actorKind} principal`;
}

function minus(a: ReadonlySet<Action>, b: ReadonlySet<Action>): readonly Action[] {
  return [...a].filter((action) => !b.has(action));
}

function sameSet(a: ReadonlySet<Action>, b: ReadonlySet<Action>): boolean {
  return a.size === b.size && [...a].every((action) => b.has(action));
}
