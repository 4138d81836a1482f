import type { Action } from '#gateway/contract/actions.ts';
import type { ReadPolicy } from './read-policy.ts';
import type { Resource, Subject } from './subject.ts';

/**
 * Which subjects and resources a set of policies cannot tell apart. A decision depends on a name only where a policy names
 * it, and on a tenant only by whether it is the caller's own, unless some policy compares it otherwise; so what is equal
 * here is decided once for all. Where a policy is not understood that far, every name counts.
 */
export interface DecisionClasses {
  ofSubject(subject: Subject): string;
  ofResource(resource: Resource): string;
  ofCall(subject: Subject, action: Action, at: { readonly resource: Resource; readonly tenant: string }): string;
}

export function decisionClasses(policies: readonly ReadPolicy[]): DecisionClasses {
  const literals = new Set(policies.flatMap((policy) => policy.literals));
  const readsEnds = policies.some(({ cedar }) => /\b(from|to)\b/.test(cedar));
  const isPlain = policies.every(({ cedar }) => comparesTenantsPlainly(cedar));
  const named = (name: string) => (literals.has(name) ? name : '');
  const tenantOf = (tenant: string) => (isPlain ? named(tenant) : tenant);
  const ofSubject = ({ name, actorKind, tenant, team, groups }: Subject) =>
    [named(name), actorKind, tenantOf(tenant), team, ...groups].join('\u0000');
  const ofResource = ({ kind, name, ownerTeam, classification, from = '', to = '' }: Resource) =>
    [kind, named(name), ownerTeam, classification, ...(readsEnds ? [from, to] : [])].join('\u0000');
  return {
    ofSubject,
    ofResource,
    ofCall: (subject, action, { resource, tenant }) => {
      const place = `${subject.tenant === tenant ? 'own' : 'other'} ${tenantOf(tenant)}`;
      return [ofSubject(subject), ofResource(resource), action, place].join('\u0001');
    },
  };
}

/** Tenants are compared with one another or with a literal, and no text is matched by a pattern. */
function comparesTenantsPlainly(cedar: string): boolean {
  if (/\blike\b/.test(cedar)) return false;
  const rest = cedar
    .replace(/\b(resource|principal)\s*\.\s*tenant\s*[=!]=\s*(resource|principal)\s*\.\s*tenant\b/g, '')
    .replace(/\b(resource|principal)\s*\.\s*tenant\s*[=!]=\s*"[^"]*"/g, '');
  return !/\btenant\b/.test(rest);
}
