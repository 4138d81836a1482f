import type { EntryRef } from '#gateway/contract/background.ts';
import { deny } from '#gateway/pipeline/denial.ts';
import { isPassing, MOST_FAILURES, waitMs } from './failures.ts';
import type { EntryEnd, FeedPort } from './feed-port.ts';
import type { RangeState, Tracked } from './range-state.ts';

const MOST_REASON_CHARS = 300;
const TAKEN_WAIT_MS = 1_000;

export interface AttemptParts {
  readonly port: Pick<FeedPort, 'applyEntry'>;
  readonly state: RangeState;
  readonly now: () => number;
}

/**
 * One attempt at an entry. It ends it, or says when the next one is due and why; after `MOST_FAILURES` of its own the entry
 * is parked. Returns whether it ended.
 */
export async function attemptEntry({ port, state, now }: AttemptParts, entry: Tracked): Promise<boolean> {
  const end = await applied(port, entry.ref);
  // The feed cannot have told its end meanwhile: pages are read before and after, not during attempts.
  entry.attempts += 1;
  // What is not stored yet has to be, or the feed's position would wait for it.
  const isNews = entry.page !== null;
  switch (end.kind) {
    case 'done':
      state.end(entry);
      return true;
    case 'going':
      Object.assign(entry, { nextAtMs: now(), reason: null, isDirty: entry.isDirty || isNews });
      return false;
    case 'taken':
      Object.assign(entry, { nextAtMs: now() + TAKEN_WAIT_MS, reason: null, isDirty: entry.isDirty || isNews });
      return false;
    case 'denial':
      noteFailure(entry, { code: end.code, message: end.message }, now());
      return false;
    default:
      return end satisfies never;
  }
}

/** A mistake of ours, or a damaged item, concerns one entry: it is parked with its reason, and the others go on. */
async function applied(port: AttemptParts['port'], ref: EntryRef): Promise<EntryEnd> {
  try {
    return await port.applyEntry(ref);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return deny('internal', text.slice(0, MOST_REASON_CHARS));
  }
}

function noteFailure(entry: Tracked, reason: { readonly code: string; readonly message: string }, nowMs: number): void {
  const isOwn = !isPassing(reason.code);
  const isNews = entry.page !== null || entry.reason?.code !== reason.code;
  if (isOwn) entry.failures += 1;
  // Drift is recounted because somebody asked; why it could not be is told at once.
  const most = entry.summary.kind === 'drift' ? 1 : MOST_FAILURES;
  entry.parkedAtMs = entry.failures >= most ? nowMs : null;
  entry.nextAtMs = nowMs + waitMs(isOwn ? entry.failures : entry.attempts, !isOwn);
  entry.reason = reason;
  // An outage meets every entry again and again; only what would be missed after a restart is stored.
  entry.isDirty ||= isOwn || isNews;
}
