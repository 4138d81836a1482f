import 'server-only';
import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { PrincipalDocument } from '#gateway/contract/definitions/principal.ts';
import { canSeeTraffic, hasAnyRole, isEngineerOf, isMember } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';

/** A published principal and the teams that own it and its tenant. */
export interface OwnedPrincipal {
  readonly name: string;
  readonly document: DefinitionOf<'principal'>['document'];
  readonly tenantTeam: string;
}

/** Reads a published principal. Refuses with `not_found`. */
export async function readPrincipal(db: Reader, name: string): Promise<OwnedPrincipal> {
  const row = await db.definition.findUnique({ where: { kind_name: { kind: 'principal', name } } });
  if (row === null || row.removed) {
    throw new ServerError('not_found', { publicMessage: `There is no published principal ${name}.` });
  }
  const document = PrincipalDocument.parse(row.document);
  const tenant = await db.definition.findUnique({
    where: { kind_name: { kind: 'tenant', name: document.tenant } },
    select: { ownerTeam: true },
  });
  return { name, document, tenantTeam: tenant?.ownerTeam ?? document.ownerTeam };
}

/** Keys are named and dated to members of the teams concerned and to the roles that see all traffic. */
export function canSeeKeys(actor: Actor, principal: OwnedPrincipal): boolean {
  return canSeeTraffic(actor, principal.tenantTeam) || isMember(actor, principal.document.ownerTeam);
}

/** Engineers of the owner team make keys. */
export function canCreateKeys(actor: Actor, principal: OwnedPrincipal): boolean {
  return isEngineerOf(actor, principal.document.ownerTeam);
}

/** Cutting off is wider than letting in: members of the owner team, security, operators and admins revoke. */
export function canRevokeKeys(actor: Actor, principal: OwnedPrincipal): boolean {
  return isMember(actor, principal.document.ownerTeam) || hasAnyRole(actor, 'security', 'operator', 'admin');
}

/** Why somebody may not, and who can; empty when they may do both. */
export function whyNot(actor: Actor, principal: OwnedPrincipal): string {
  const team = principal.document.ownerTeam;
  if (!canRevokeKeys(actor, principal))
    return `Team ${team}, security, operators and admins revoke keys of ${principal.name}.`;
  return canCreateKeys(actor, principal) ? '' : `Engineers of team ${team} make keys of ${principal.name}.`;
}
