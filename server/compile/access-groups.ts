import { ACTIONS, type Action } from '#gateway/contract/actions.ts';
import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { type Decider, resourceOf, subjectOf } from './decide.ts';
import { byName, type Catalog } from './model.ts';
import type { Resource, Subject } from './subject.ts';

/** One state of the definitions with the decisions under it. */
export interface AccessState {
  readonly catalog: Catalog;
  readonly decider: Decider;
}

/** Subjects that no policy of either state tells apart, by one that stands for them. */
export interface SubjectGroup {
  readonly subject: Subject;
  readonly before: Subject | null;
  readonly names: string[];
  /** Stands for every service of a team that no policy names, whether there is one or not. */
  readonly isGeneric: boolean;
}

/** Types that no policy of either state tells apart. `before` is null for new ones, `resource` for removed ones. */
export interface TypeGroup {
  readonly resource: Resource | null;
  readonly before: Resource | null;
  readonly names: string[];
}

/** The types named, folded. */
export function groupTypes(before: AccessState, after: AccessState, names: ReadonlySet<string>): readonly TypeGroup[] {
  const groups = new Map<string, TypeGroup>();
  for (const name of [...names].sort()) {
    const type = typeNamed(after.catalog, name);
    const old = typeNamed(before.catalog, name);
    if (type === undefined && old === undefined) continue;
    const resource = type === undefined ? null : resourceOf(type, after.catalog);
    const oldResource = old === undefined ? null : resourceOf(old, before.catalog);
    const key = JSON.stringify([
      resource === null ? null : after.decider.classes.ofResource(resource),
      oldResource === null ? null : before.decider.classes.ofResource(oldResource),
    ]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { resource, before: oldResource, names: [name] });
    else known.names.push(name);
  }
  return [...groups.values()];
}

/** Every principal that may call after the change, folded. */
export function groupSubjects(before: AccessState, after: AccessState): readonly SubjectGroup[] {
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

/** Data of a tenant that no policy names and that belongs to another team stands for all other tenants. */
const OTHER_TENANT = '\u0000other';

/** What a subject may do to a type in its own tenant or in others. */
export function actionsOf(
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

export function typeNamed(
  catalog: Catalog,
  name: string,
): DefinitionOf<'objectType'> | DefinitionOf<'edgeType'> | undefined {
  return catalog.objectType.get(name) ?? catalog.edgeType.get(name);
}

function liveSubject(principal: DefinitionOf<'principal'>, catalog: Catalog): Subject | null {
  return principal.document.disabled ? null : subjectOf(principal, catalog);
}
