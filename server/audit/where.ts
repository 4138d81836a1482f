import 'server-only';
import { Prisma } from '#prisma/client/client.ts';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import type { AUDIT_TABS } from '#server/contract/audit.ts';
import type { AuditFilter, FilterTerm } from './filter-line.ts';
import { QUIET_ACTS } from './quiet-acts.ts';

type Tab = (typeof AUDIT_TABS)[number];

/** Fields whose value may be given by its beginning: `actor:ana` is Ana Ruiz. The others are exact. */
const BY_PREFIX: readonly FilterTerm['field'][] = ['actor', 'kind', 'did', 'request', 'text'];

export interface AuditScope {
  readonly actor: Actor;
  /** Tenants whose data-path rows the actor may see, unless it sees all. */
  readonly tenants: readonly string[];
  readonly tab: Tab;
  readonly filter: AuditFilter;
}

/**
 * Which rows of `audit_event e` a page shows. An outcome is never a row of its own: it is read with its intent.
 */
export function whereOf({ actor, tenants, tab, filter }: AuditScope): Prisma.Sql {
  const parts = [Prisma.sql`e.phase IS DISTINCT FROM 'outcome'`, ...tabParts(tab), ...termParts(filter.terms)];
  if (!filter.terms.some(({ field, not }) => field === 'did' && !not)) parts.push(notQuiet());
  if (!canSeeAllTraffic(actor)) parts.push(rightsPart(tenants));
  if (filter.afterMs !== null) parts.push(Prisma.sql`e.at >= ${new Date(filter.afterMs)}`);
  if (filter.beforeMs !== null) parts.push(Prisma.sql`e.at < ${new Date(filter.beforeMs)}`);
  return Prisma.join(parts, ' AND ');
}

/** Whether `whereOf` names words that every row must have, so that the index of words can find them. */
export function asksForWords({ actor, tab, filter }: Omit<AuditScope, 'tenants'>): boolean {
  return tab === 'agents' || !canSeeAllTraffic(actor) || filter.terms.some(({ not }) => !not);
}

function tabParts(tab: Tab): readonly Prisma.Sql[] {
  switch (tab) {
    case 'changes':
      return [Prisma.sql`e.source = 'console'`];
    case 'refusals':
      return [Prisma.sql`e.phase = 'refusal'`];
    case 'writes':
      return [Prisma.sql`e.phase = 'intent'`];
    case 'agents':
      return [Prisma.sql`e.actor_kind = 'agent'`, matches(lexeme('kind', 'agent'))];
    case 'everything':
      return [];
  }
}

/** Terms of one field are alternatives; words and different fields must all hold. */
function termParts(terms: readonly FilterTerm[]): readonly Prisma.Sql[] {
  const parts: Prisma.Sql[] = [];
  const alternatives = new Map<string, string[]>();
  for (const { field, value, not } of terms) {
    if (not) parts.push(Prisma.sql`NOT coalesce(${matches(lexeme(field, value))}, false)`);
    else if (field === 'text') parts.push(matches(lexeme(field, value)));
    else alternatives.set(field, [...(alternatives.get(field) ?? []), lexeme(field, value)]);
  }
  for (const lexemes of alternatives.values()) parts.push(matches(lexemes.join(' | ')));
  return parts;
}

/** Control-plane events are for everyone who is signed in; a tenant's data path is for its team. */
function rightsPart(tenants: readonly string[]): Prisma.Sql {
  // The words say the same as the columns and let a quiet team's rows be found among a busy one's.
  const words = ["'source=console'", ...tenants.map((tenant) => lexeme('tenant', tenant))].join(' | ');
  return Prisma.sql`(e.source = 'console' OR e.tenant = ANY(${[...tenants]})) AND ${matches(words)}`;
}

function notQuiet(): Prisma.Sql {
  return Prisma.sql`NOT (e.source = 'console' AND e.did = ANY(${[...QUIET_ACTS]}))`;
}

/** `e.words` were lower-cased by the database, so the query is too. */
function matches(tsquery: string): Prisma.Sql {
  return Prisma.sql`e.words @@ lower(${tsquery})::tsquery`;
}

/** One lexeme in the syntax of tsquery, taken as it is: no stemming, no splitting. */
function lexeme(field: FilterTerm['field'], value: string): string {
  const text = field === 'text' ? value : `${field}=${field === 'release' ? value.replace(/^r/, '') : value}`;
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return BY_PREFIX.includes(field) ? `${quoted}:*` : quoted;
}
