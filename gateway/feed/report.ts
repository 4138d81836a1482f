import { BackgroundReply, type EntryRef, type RangeReport, type WaitingEntry } from '#gateway/contract/background.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import type { RangeStatus } from './range-worker.ts';
import type { FeedWorker } from './worker.ts';

/** Also when nothing changed: the lag moves, and the reply brings what somebody asked for. */
const REPORT_EVERY_MS = 2_000;
const MOST_A_REPORT = 1_000;

export interface Reporting {
  /** Tells the console what is due. Never rejects; what could not be told is told again. */
  tick(): Promise<void>;
}

interface Told {
  readonly term: number;
  readonly entries: Map<string, { readonly ref: EntryRef; readonly state: string }>;
  isWhole: boolean;
  storedAsOfMs: number | null;
}

interface Options {
  readonly worker: Pick<FeedWorker, 'ranges' | 'tryAgain'>;
  readonly client: ConsoleClient;
  /** The newest count of a range; null while there is none. */
  readonly stored: (range: string) => RangeReport['stored'] | null;
  readonly now: () => number;
}

/** Tells the console what waits in the ranges that this gateway holds: all of it once a term, afterwards what changes. */
export function createReporting({ worker, client, stored, now }: Options): Reporting {
  const told = new Map<string, Told>();
  let dueMs = 0;
  let underway: Promise<void> | null = null;

  async function send(): Promise<void> {
    const reports = worker.ranges().map((status): RangeReport => {
      const known = knownOf(told, status);
      const counted = stored(status.range) ?? null;
      const isNews = counted !== null && counted.asOfMs !== known.storedAsOfMs;
      return { ...reportOf(status, known), ...(isNews ? { stored: counted } : {}) };
    });
    for (const range of told.keys()) if (!reports.some((one) => one.range === range)) told.delete(range);
    if (reports.length === 0) return;
    const answer = await client.post('background', { ranges: reports });
    if (answer.kind !== 'ok') return;
    for (const report of reports) note(told, report);
    // More than one report takes is told without a pause.
    if (reports.some(({ isWhole }) => !isWhole)) dueMs = 0;
    for (const { range, ref } of readReply(answer.body)) worker.tryAgain(range, ref);
  }
  return {
    tick() {
      if (now() < dueMs && dueMs - now() <= REPORT_EVERY_MS) return underway ?? Promise.resolve();
      dueMs = now() + REPORT_EVERY_MS;
      underway ??= send().finally(() => {
        underway = null;
      });
      return underway;
    },
  };
}

function knownOf(told: Map<string, Told>, { range, term }: RangeStatus): Told {
  const known = told.get(range);
  if (known?.term === term) return known;
  const none: Told = { term, entries: new Map(), isWhole: false, storedAsOfMs: null };
  told.set(range, none);
  return none;
}

function reportOf({ range, term, lagMs, repaired, problem, waiting }: RangeStatus, known: Told): RangeReport {
  const now = new Set(waiting.map(({ ref }) => keyOf(ref)));
  const changed = waiting.filter((entry) => known.entries.get(keyOf(entry.ref))?.state !== stateOf(entry));
  const gone = [...known.entries].filter(([key]) => !now.has(key)).map(([, { ref }]) => ref);
  return {
    ...{ range, term, lagMs, repaired, problem },
    isWhole: known.isWhole || changed.length <= MOST_A_REPORT,
    waiting: changed.slice(0, MOST_A_REPORT),
    ended: gone.slice(0, MOST_A_REPORT),
  };
}

function note(told: Map<string, Told>, { range, term, isWhole, waiting, ended, stored }: RangeReport): void {
  const known = told.get(range);
  if (known?.term !== term) return;
  known.isWhole = isWhole;
  if (stored !== undefined) known.storedAsOfMs = stored.asOfMs;
  for (const entry of waiting) known.entries.set(keyOf(entry.ref), { ref: entry.ref, state: stateOf(entry) });
  for (const ref of ended) known.entries.delete(keyOf(ref));
}

/** When the next attempt is due changes with each one; during an outage that is no news. */
function stateOf({ failures, reason, parkedAtMs, summary }: WaitingEntry): string {
  return JSON.stringify([failures, reason?.code, parkedAtMs, summary.items, summary.drift]);
}

function keyOf({ pk, id }: EntryRef): string {
  return `${pk}\n${id}`;
}

function readReply(body: Buffer): BackgroundReply['again'] {
  try {
    return BackgroundReply.parse(JSON.parse(body.toString('utf8'))).again;
  } catch {
    return [];
  }
}
