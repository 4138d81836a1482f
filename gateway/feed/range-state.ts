import { isDeepStrictEqual } from 'node:util';
import type { Drift, EntryRef, EntrySummary, WaitingEntry } from '#gateway/contract/background.ts';
import { driftRef, driftSummary, NO_DRIFT } from './drift-entry.ts';
import { type ChangePage, type EntryChange, MOST_WAITING_A_SAVE } from './feed-port.ts';

/** The gateway that wrote an entry applies it itself; only what is older than this was left behind. */
export const GRACE_MS = 3_000;

/** A page of the feed that was read; its position may be stored once none of its entries is open any more. */
interface Page {
  readonly position: string;
  open: number;
}

/** An open entry. It is held in memory until it ends or is stored as waiting. */
export interface Tracked {
  readonly ref: EntryRef;
  summary: EntrySummary;
  /** The page that must wait for it; null once it is stored. */
  page: Page | null;
  nextAtMs: number;
  /** Attempts in a row that did not end it. */
  attempts: number;
  failures: number;
  reason: WaitingEntry['reason'];
  parkedAtMs: number | null;
  /** Differs from what is stored of it. */
  isDirty: boolean;
}

/** What is to be stored next, and how far the feed is settled with it. */
export interface Save {
  readonly position: string | null;
  readonly keep: readonly Tracked[];
  readonly drop: readonly EntryRef[];
}

/**
 * What is known of one range: which entries are open, and up to which position of the feed every entry is either done or
 * stored as waiting. Pure bookkeeping; a range that is taken over begins with an empty one.
 */
export class RangeState {
  readonly #entries = new Map<string, Tracked>();
  readonly #pages: Page[] = [];
  readonly #dropped = new Map<string, EntryRef>();
  #position: string | null;

  constructor(position: string | null, stored: readonly WaitingEntry[]) {
    this.#position = position;
    for (const entry of stored) {
      this.#entries.set(keyOf(entry.ref), {
        ...entry,
        page: null,
        attempts: Math.max(1, entry.failures),
        isDirty: false,
      });
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<Tracked> {
    return this.#entries.values();
  }

  find(ref: EntryRef): Tracked | undefined {
    return this.#entries.get(keyOf(ref));
  }

  take({ position, entries }: ChangePage, nowMs: number): void {
    const page: Page = { position, open: 0 };
    for (const change of entries) this.#takeChange(change, page, nowMs);
    this.#pages.push(page);
  }

  #takeChange({ ref, open }: EntryChange, page: Page, nowMs: number): void {
    const known = this.find(ref);
    if (known !== undefined) {
      // A sweep writes its entry anew at each of its turns.
      if (open === null) this.end(known);
      else known.summary = open;
      return;
    }
    if (open === null) return;
    page.open += 1;
    // The writer's clock may be ahead of this one.
    const nextAtMs = Math.min(open.atMs, nowMs) + GRACE_MS;
    const fresh = { attempts: 0, failures: 0, reason: null, parkedAtMs: null, isDirty: false };
    this.#entries.set(keyOf(ref), { ref, summary: open, page, nextAtMs, ...fresh });
  }

  end(entry: Tracked): void {
    if (entry.page === null) this.#dropped.set(keyOf(entry.ref), entry.ref);
    else entry.page.open -= 1;
    this.#entries.delete(keyOf(entry.ref));
  }

  /** Its next attempt is due now, parked or not. */
  tryAgain(ref: EntryRef, nowMs: number): void {
    const entry = this.find(ref);
    if (entry === undefined) return;
    Object.assign(entry, { attempts: 0, failures: 0, parkedAtMs: null, nextAtMs: nowMs, isDirty: true });
  }

  /** What differs of an object, changed; its entry rests like a parked one until somebody asks, and ends when nothing differs. */
  changeDrift(pk: string, change: (drift: Drift) => Drift, nowMs: number): void {
    const ref = driftRef(pk);
    const known = this.find(ref);
    const summary = driftSummary(pk, change(known?.summary.drift ?? NO_DRIFT), known?.summary.atMs ?? nowMs);
    if (known === undefined) {
      const resting = { page: null, nextAtMs: nowMs, attempts: 1, failures: 0, reason: null, parkedAtMs: nowMs };
      if (summary !== null) this.#entries.set(keyOf(ref), { ref, summary, ...resting, isDirty: true });
    } else if (summary === null) this.end(known);
    else if (!isDeepStrictEqual(summary, known.summary)) Object.assign(known, { summary, isDirty: true });
  }

  /** Up to `most` entries whose time has come, the longest overdue first. */
  due(nowMs: number, most: number): readonly Tracked[] {
    const due = [...this.#entries.values()].filter((one) => one.parkedAtMs === null && one.nextAtMs <= nowMs);
    return due.sort((a, b) => a.nextAtMs - b.nextAtMs).slice(0, most);
  }

  hasChanges(): boolean {
    return this.#dropped.size > 0 || [...this.#entries.values()].some(({ isDirty }) => isDirty);
  }

  /** Where the feed is settled to by now. */
  settled(): string | null {
    return this.#settledWith(new Set());
  }

  nextSave(): Save {
    const keep = [...this.#entries.values()].filter(({ isDirty }) => isDirty).slice(0, MOST_WAITING_A_SAVE);
    const drop = [...this.#dropped.values()].slice(0, MOST_WAITING_A_SAVE - keep.length);
    return { position: this.#settledWith(new Set(keep)), keep, drop };
  }

  /** The save was stored. */
  saved({ position, keep, drop }: Save): void {
    for (const entry of keep) {
      if (entry.page !== null) entry.page.open -= 1;
      Object.assign(entry, { page: null, isDirty: false });
    }
    for (const ref of drop) this.#dropped.delete(keyOf(ref));
    while (this.#pages[0]?.open === 0) this.#pages.shift();
    this.#position = position;
  }

  /** The last page before which no entry is open, were these stored. */
  #settledWith(stored: ReadonlySet<Tracked>): string | null {
    const relieved = Map.groupBy(
      [...stored].filter(({ page }) => page !== null),
      ({ page }) => page,
    );
    let position = this.#position;
    for (const page of this.#pages) {
      if (page.open > (relieved.get(page)?.length ?? 0)) break;
      position = page.position;
    }
    return position;
  }
}

/** An entry as it is stored and shown. */
export function waitingOf({ ref, summary, failures, nextAtMs, reason, parkedAtMs }: Tracked): WaitingEntry {
  return { ref, summary, failures, nextAtMs, reason, parkedAtMs };
}

function keyOf({ pk, id }: EntryRef): string {
  return `${pk}\n${id}`;
}
