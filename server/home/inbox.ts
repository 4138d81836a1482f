import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { Inbox } from '#server/contract/shell.ts';
import { troubledGateways } from './gateway-troubles.ts';
import type { ChangesFor } from './ports.ts';

type Item = Inbox['items'][number];

/** Stored items shown at once. */
const MAX_STORED = 200;

/**
 * GET /api/inbox: reviews asked of the person, their changes that wait for them, follow-up reviews, and gateways in
 * trouble; newest first. Everything but a follow-up is read from the facts themselves, so it closes when it is handled.
 */
export function inboxWith(changesFor: ChangesFor) {
  return async (ctx: Ctx): Promise<Inbox> => {
    const asks = await changesFor(ctx);
    const items = [
      ...asks.map(
        ({ number, kind, text, sinceMs }): Item => ({
          id: `${kind}:${number}`,
          kind,
          text,
          href: `/changes/${number}`,
          atMs: sinceMs,
          closable: false,
        }),
      ),
      ...(await storedItems(ctx)),
      ...(await gatewayItems(ctx)),
    ];
    return { items: items.toSorted((a, b) => b.atMs - a.atMs) };
  };
}

/** Whether a stored item is addressed to the person: by name, by role, or by team. */
export function addressedTo(actor: Ctx['actor']) {
  return { OR: [{ userId: actor.id }, { role: { in: [...actor.roles] } }, { team: { in: [...actor.teams] } }] };
}

async function storedItems(ctx: Ctx): Promise<Item[]> {
  const rows = await ctx.db.inboxItem.findMany({
    where: { closedAt: null, ...addressedTo(ctx.actor) },
    orderBy: { at: 'desc' },
    take: MAX_STORED,
  });
  return rows.map(({ id, kind, text, href, at, closable }) => ({
    id,
    kind: kindOf(kind),
    text,
    href,
    atMs: at.getTime(),
    closable,
  }));
}

/** Operators and admins look after gateways. */
async function gatewayItems(ctx: Ctx): Promise<Item[]> {
  if (!ctx.actor.roles.some((role) => role === 'operator' || role === 'admin')) return [];
  const troubles = await troubledGateways(ctx.db, ctx.nowMs);
  return troubles.map(({ subject, text, href, sinceMs }) => ({
    id: `gateway:${subject}`,
    kind: 'gateway',
    text,
    href,
    atMs: sinceMs,
    closable: false,
  }));
}

function kindOf(kind: string): Item['kind'] {
  return kind === 'review' || kind === 'change' || kind === 'gateway' ? kind : 'follow-up';
}
