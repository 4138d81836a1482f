import 'server-only';
import type { Tx } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';

/** What a gateway did by itself, such as making a release live. Requests that it served are not acts of its own. */
export interface GatewayAct {
  readonly did: string;
  readonly what: string;
  readonly href: string;
  readonly because: string | null;
  /** Null when it has nothing to do with one. */
  readonly release: number | null;
  readonly tenant?: string;
  readonly outcome: string;
}

/** Writes a gateway's act into the audit log, in the transaction that it belongs to. */
export async function appendGatewayAct(
  tx: Tx,
  by: { readonly gateway: string; readonly requestId: string; readonly nowMs: number },
  act: GatewayAct,
): Promise<void> {
  await tx.auditEvent.create({
    data: {
      at: new Date(by.nowMs),
      source: 'console',
      actor: by.gateway,
      actorKind: 'gateway',
      requestId: by.requestId,
      ...act,
    },
  });
  await notify(tx, 'audit');
}
