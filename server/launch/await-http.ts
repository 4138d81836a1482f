import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Resolves when `accept` says yes to the status of a GET, false when `exited` or the deadline comes first.
 * A connection that is refused counts as not yet.
 */
export async function awaitHttp(
  url: string,
  options: {
    readonly accept: (status: number) => boolean;
    readonly timeoutMs: number;
    readonly exited?: Promise<unknown>;
  },
): Promise<boolean> {
  const deadline = performance.now() + options.timeoutMs;
  let isGone = false;
  options.exited?.then(() => {
    isGone = true;
  });
  while (!isGone && performance.now() < deadline) {
    const status = await statusOf(url);
    if (status !== undefined && options.accept(status)) return true;
    await pause(POLL_MS);
  }
  return false;
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const reply = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    await reply.body?.cancel();
    return reply.status;
  } catch {
    return undefined;
  }
}
