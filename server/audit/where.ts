import 'server-only';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import type { AUDIT_TABS } from '#server/contract/audit.ts';
import { joinSql, type Sql, sql } from '#server/db/sql.ts';
import type { AuditFilter, FilterTerm } from './filter-line.ts';
import { QUIET_ACTS } from './quiet-acts.ts';

type Tab = (typeof AUDIT_TABS)[number];

/** Fields whose value may be given by its beginning: `actor:ana` is Ana Ruiz. The others are exact. */
const BY_PREFIX: readonly FilterTerm['field'][] = ['actor', 'kind', 'token', 'did', 'request', 'text'];

export interface AuditScope {
  readonly actor: Actor;
  /** Tenants whose data-path rows the actor may see, unless it sees all. */
  readonly tenants: readonly string[];
  readonly tab: Tab;
  readonly filter: AuditFilter;
}

/** Which rows of `audit_event e` a page shows. */
export interface AuditCondition {
  /** All of it. An outcome is never a row of its own: it is read with its intent. */
  readonly where: Sql;
  /** The part that the index of words answers; null when every row may match. */
  readonly words: Sql | null;
}

export function conditionOf(scope: AuditScope): AuditCondition {
  const { actor, tenants, tab, filter } = scope;
  const words = wordParts(scope);
  const parts = [sql`e.phase IS DISTINCT FROM 'outcome'`, ...tabParts(tab), ...words, ...negatedParts(filter.terms)];
  if (!filter.terms.some(({ field, not }) => field === 'did' && !not)) parts.push(notQuiet());
  if (!canSeeAllTraffic(actor)) parts.push(sql`(e.source = 'console' OR e.tenant = ANY(${[...tenants]}))`);
  if (filter.afterMs !== null) parts.push(sql`e.at >= ${new Date(filter.afterMs)}`);
  if (filter.beforeMs !== null) parts.push(sql`e.at < ${new Date(filter.beforeMs)}`);
  return { where: joinSql(parts, ' AND '), words: words.length === 0 ? null : joinSql(words, ' AND ') };
}

/**
 * What rows must have among their words. For a tab and for the rights they repeat what the columns say, so that a quiet
 * team's rows can be found among a busy one's. Terms of one field are alternatives; everything else must all hold.
 */
function wordParts({ actor, tenants, tab, filter }: AuditScope): readonly Sql[] {
  const parts: Sql[] = [];
  const alternatives = new Map<string, string[]>();
  for (const { field, value, not } of filter.terms) {
    if (not) continue;
    if (field === 'text') parts.push(matches(lexeme(field, value)));
    else alternatives.set(field, [...(alternatives.get(field) ?? []), lexeme(field, value)]);
  }
  for (const lexemes of alternatives.values()) parts.push(matches(lexemes.join(' | ')));
  if (tab === 'agents') parts.push(matches(lexeme('kind', 'agent')));
  if (!canSeeAllTraffic(actor)) {
    // Control-plane events are for everyone who is signed in; a tenant's data path is for its team.
    parts.push(matches(["'source=console'", ...tenants.map((tenant) => lexeme('tenant', tenant))].join(' | ')));
  }
  return parts;
}

function tabParts(tab: Tab): readonly Sql[] {
  switch (tab) {
    case 'changes':
      return [sql`e.source = 'console'`];
    case 'refusals':
      return [sql`e.phase = 'refusal'`];
    case 'writes':
      return [sql`e.phase = 'intent'`];
    case 'agents':
      return [sql`e.actor_kind = 'agent'`];
    case 'everything':
      return [];
  }
}

function negatedParts(terms: readonly FilterTerm[]): readonly Sql[] {
  return terms
    .filter(({ not }) => not)
    .map(({ field, value }) => sql`NOT coalesce(${matches(lexeme(field, value))}, false)`);
}

function notQuiet(): Sql {
  return sql`NOT (e.source = 'console' AND e.did = ANY(${[...QUIET_ACTS]}))`;
}

/** `e.words` were lower-cased by the database, so the query is too. */
function matches(tsquery: string): Sql {
  return sql`e.words @@ lower(${tsquery})::tsquery`;
}

/** One lexeme in the syntax of tsquery, taken as it is: no stemming, no splitting. */
function lexeme(field: FilterTerm['field'], value: string): string {
  const text = field === 'text' ? value : `${field}=${field === 'release' ? value.replace(/^r/, '') : value}`;
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return BY_PREFIX.includes(field) ? `${quoted}:*` : quoted;
}
