import 'server-only';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { Ctx } from '#server/context.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';

/** One act in the console, as the audit log keeps it. */
export interface ConsoleEvent {
  /** Past-tense verb: *published*, *revoked*. */
  readonly did: string;
  /** What it was done to, in words. */
  readonly what: string;
  readonly href?: string;
  /** The reason given, or the rule that led to it. */
  readonly because?: string;
  readonly tenant?: string;
  readonly release?: number;
  readonly kind?: DefinitionKind;
  readonly name?: string;
  /** *done*, *emergency*, *self-approved*. */
  readonly outcome?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Who acts and when; a verb's Ctx is one. */
export type AuditActor = Pick<Ctx, 'requestId' | 'nowMs'> & {
  readonly actor: Pick<Ctx['actor'], 'id' | 'name' | 'roles'> & {
    /** For an actor that is no person: *system*. */
    readonly kind?: string;
    readonly token?: { readonly name: string };
  };
};

/**
 * Writes an act into the audit log, in the transaction of the act itself: neither exists without the other.
 */
export async function appendAudit(tx: Tx, by: AuditActor, event: ConsoleEvent): Promise<void> {
  await tx.auditEvent.create({
    data: {
      at: new Date(by.nowMs),
      source: 'console',
      actor: by.actor.name,
      actorId: by.actor.id,
      actorKind: by.actor.kind ?? actorKindOf(by.actor.roles),
      did: event.did,
      what: event.what,
      href: event.href ?? null,
      because: event.because ?? null,
      tenant: event.tenant ?? null,
      release: event.release ?? null,
      kind: event.kind ?? null,
      name: event.name ?? null,
      requestId: by.requestId,
      outcome: event.outcome ?? 'done',
      token: by.actor.token?.name ?? null,
      before: dbJson(event.before),
      after: dbJson(event.after),
    },
  });
  await notify(tx, 'audit');
}

/** The role named beside a person in the log: the one that carries most. */
function actorKindOf(roles: readonly string[]): string {
  const order = ['admin', 'security', 'operator', 'engineer', 'auditor', 'viewer'];
  return order.find((role) => roles.includes(role)) ?? 'viewer';
}
