import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreParts } from './parts.ts';

/**
 * Waits `ms` unless the deadline comes first: then returns false at once, since the answer will not change by waiting.
 */
export async function waitWithin(parts: Pick<StoreParts, 'now'>, deadlineAtMs: number, ms: number): Promise<boolean> {
  if (parts.now() + ms >= deadlineAtMs) return false;
  await sleep(ms);
  return true;
}

/** Exponential with full jitter, from `baseMs`, at most 400 ms. */
export function backoffMs(parts: Pick<StoreParts, 'random'>, attempt: number, baseMs = 5): number {
  return Math.ceil(Math.min(400, baseMs * 2 ** attempt) * parts.random()) + 1;
}

/**
 * How long one attempt may take: half of what is left, so that an attempt that hangs leaves time for another, but not
 * less than half a second when there is that much.
 */
export function attemptTimeoutMs(parts: Pick<StoreParts, 'now'>, deadlineAtMs: number): number {
  const left = deadlineAtMs - parts.now();
  return Math.max(1, Math.min(left, Math.max(left / 2, 500)));
}
