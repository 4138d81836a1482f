import 'server-only';
import type { ReviewModes } from '#server/auth/colleagues.ts';
import { hasAnyRole, isEngineerOf } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import { REVIEW_MODES, type ReviewKind, type ReviewMode, type Role } from '#server/contract/people.ts';
import type { StoredChange, StoredEdit } from '#server/db/changes.ts';

/** One review that a change needs. */
export interface Need {
  /** Stored with the reviews that answer it. */
  readonly key: string;
  /** Who gives it, in words: *team chat*, *security*. */
  readonly from: string;
  readonly role: Role;
  /** The engineers of this team; null for a role of the whole installation. */
  readonly team: string | null;
  readonly mode: ReviewMode;
}

/**
 * The reviews a change needs, by the kinds it edits: types by engineers of the owner team (of both, when it changes
 * hands), policies and principals by security, tenants by an operator. The mode is the strictest that the teams concerned
 * have for that kind; a team that does not exist counts as `second person`.
 */
export function needsOf(edits: readonly StoredEdit[], modes: ReadonlyMap<string, ReviewModes>): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const edit of edits) {
    for (const team of ownersOf(edit)) {
      const need = needOf(edit.kind, team, modes.get(team)?.[reviewKindOf(edit.kind)] ?? 'second person');
      const known = needs.get(need.key);
      needs.set(need.key, known === undefined ? need : { ...need, mode: stricter(known.mode, need.mode) });
    }
  }
  return [...needs.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Whether somebody's roles and teams make them a reviewer of this need. Says nothing of whose change it is. */
export function reviews(actor: Pick<Actor, 'roles' | 'teams'>, need: Need): boolean {
  return need.team === null ? hasAnyRole(actor, need.role) : isEngineerOf(actor, need.team);
}

/** Whether the need is met: it asks for nothing, or a standing approval of this very content answers it. */
export function isGiven(need: Need, change: Pick<StoredChange, 'contentHash' | 'reviews'>): boolean {
  if (need.mode === 'off') return true;
  return change.reviews.some(
    (review) =>
      review.verdict === 'approved' &&
      review.voidedAt === null &&
      review.contentHash === change.contentHash &&
      review.covers.includes(need.key),
  );
}

/** Everybody who wrote any of it: none of them is the second person. */
export function writersOf(change: StoredChange): ReadonlySet<string> {
  return new Set([change.authorId, ...change.edits.flatMap(({ writers }) => writers)]);
}

function reviewKindOf(kind: string): ReviewKind {
  if (kind === 'objectType' || kind === 'edgeType') return 'types';
  return kind === 'tenant' ? 'quotas' : 'access';
}

function needOf(kind: string, team: string, mode: ReviewMode): Need {
  switch (kind) {
    case 'objectType':
    case 'edgeType':
      return { key: `team:${team}`, from: `team ${team}`, role: 'engineer', team, mode };
    case 'tenant':
      return { key: 'operator', from: 'an operator', role: 'operator', team: null, mode };
    default:
      // Policies, principals, and whatever kind comes later: the strictest reader.
      return { key: 'security', from: 'security', role: 'security', team: null, mode };
  }
}

function ownersOf(edit: StoredEdit): readonly string[] {
  const owners = [ownerIn(edit.base), ownerIn(edit.document)].filter((owner) => owner !== null);
  return owners.length === 0 ? ['?'] : [...new Set(owners)];
}

function ownerIn(document: unknown): string | null {
  if (typeof document !== 'object' || document === null || !('ownerTeam' in document)) return null;
  return typeof document.ownerTeam === 'string' ? document.ownerTeam : null;
}

/** The modes stand in the contract from strict to lax. */
function stricter(a: ReviewMode, b: ReviewMode): ReviewMode {
  return REVIEW_MODES.indexOf(a) <= REVIEW_MODES.indexOf(b) ? a : b;
}
