import 'server-only';
import { Sha256Hex } from '#gateway/contract/ids.ts';
import type { ManifestStatement } from '#gateway/contract/machine-api.ts';
import { readTargetOf, type Target } from '#server/db/gateway-standing.ts';
import type { Listener } from '#server/db/listen.ts';
import type { MachineCtx } from './handle-machine.ts';
import { holdUntil, placeOf } from './hold-until.ts';

/** While the listener is being connected again, a waiting request looks for itself this often. */
const LOOK_EVERY_MS = 1_000;

/**
 * GET /api/gateway/manifest. Answers 200 with the signed statement of what this gateway is offered (the target, or the
 * release before it while the gateway's stage is not open) as soon as it differs from what `If-None-Match` names;
 * otherwise holds the request until a publish or the gateway's own moment (`holdUntil`), then 304, or 204 when nothing was
 * ever published. The ETag is the release's sha256.
 */
export async function awaitManifest(ctx: MachineCtx): Promise<Response> {
  const known = etagsOf(ctx.ifNoneMatch);
  const untilMs = holdUntil(await placeOf(ctx.db, ctx.gateway, ctx.nowMs), ctx.nowMs);
  const publishes = watchReleases(ctx.listener);
  try {
    for (;;) {
      publishes.forget();
      const target = await readTargetOf(ctx.db, ctx.gateway);
      if (target !== null && !known.includes(target.sha256)) return manifestReply(ctx, target);
      const leftMs = untilMs - ctx.now();
      if (leftMs <= 0 || ctx.signal.aborted) return unchanged(target);
      await publishes.next(ctx.listener.isConnected() ? leftMs : Math.min(leftMs, LOOK_EVERY_MS), ctx.signal);
    }
  } finally {
    publishes.stop();
  }
}

async function manifestReply(ctx: MachineCtx, target: Target): Promise<Response> {
  const statement: ManifestStatement = {
    gateway: ctx.gateway,
    target: { ...target.release, sha256: Sha256Hex.parse(target.sha256) },
    timeMs: ctx.now(),
  };
  return new Response(await ctx.signer.sign(JSON.stringify(statement)), {
    headers: { 'Content-Type': 'application/jose', ETag: `"${target.sha256}"`, 'Cache-Control': 'no-store' },
  });
}

function unchanged(target: Target | null): Response {
  if (target === null) return new Response(null, { status: 204 });
  return new Response(null, { status: 304, headers: { ETag: `"${target.sha256}"` } });
}

function etagsOf(header: string | null): readonly string[] {
  return (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, ''));
}

/** Hears publishes from before the target is read, so that one in between is not missed. */
function watchReleases(listener: Listener) {
  let heard = false;
  let wake: (() => void) | undefined;
  const unsubscribe = listener.subscribe((topic) => {
    if (topic !== 'releases') return;
    heard = true;
    wake?.();
  });
  return {
    forget() {
      heard = false;
    },
    /** Resolves at the next publish since `forget`, after `waitMs`, or when the request is given up. */
    next(waitMs: number, signal: AbortSignal): Promise<void> {
      if (heard) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          wake = undefined;
          resolve();
        };
        const timer = setTimeout(done, waitMs);
        signal.addEventListener('abort', done);
        wake = done;
      });
    },
    stop: unsubscribe,
  };
}
