import { z } from 'zod';
import { canSeeTraffic } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import { Finding } from '#server/contract/changes.ts';

/** A finding as kept: one drawn from a tenant's traffic says whose, and what everybody else reads instead. */
export const StoredFinding = Finding.extend({ tenant: z.string().optional(), instead: z.string().optional() });
export type StoredFinding = z.infer<typeof StoredFinding>;

/** Who asks; nobody sees the traffic of no tenant. */
export type Asker = Pick<Actor, 'roles' | 'teams'>;
export const NOBODY: Asker = { roles: [], teams: [] };

/** Findings as one person may read them. `teams` names the team that owns each tenant. */
export function readableBy(
  actor: Asker,
  findings: readonly StoredFinding[],
  teams: ReadonlyMap<string, string>,
): readonly Finding[] {
  return findings.map(({ tenant, instead, ...finding }) => {
    if (tenant === undefined || canSeeTraffic(actor, teams.get(tenant) ?? '')) return finding;
    const { example: _, href: __, ...rest } = finding;
    return { ...rest, message: `${instead ?? finding.message} Its team and operators see which.` };
  });
}
