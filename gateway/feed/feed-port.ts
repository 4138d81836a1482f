import type { EntryRef, EntrySummary, WaitingEntry } from '#gateway/contract/background.ts';
import type { Denial } from '#gateway/pipeline/denial.ts';

/** What the change feed says of an outbox entry: its newest state. */
export interface EntryChange {
  readonly ref: EntryRef;
  /** Null when the entry is done. */
  readonly open: EntrySummary | null;
}

export interface ChangePage {
  readonly kind: 'page';
  readonly entries: readonly EntryChange[];
  /** Where the next page begins; opaque. */
  readonly position: string;
  /** Nothing is newer than this page. */
  readonly isEnd: boolean;
  /** When the newest item of the page was written, epoch milliseconds at a resolution of 1 s; null when it is empty. */
  readonly newestMs: number | null;
}

/** Reads one range of the change feed of latest versions, page by page. */
export interface ChangeReader {
  /** Goes on after the page before; after a refusal, from that page's position. */
  read(): Promise<ChangePage | Denial>;
}

/** Who works on a range of the feed, and how far everything before is settled or kept as waiting. */
export interface Lease {
  readonly range: string;
  readonly owner: string | null;
  /** Raised each time the lease changes hands. */
  readonly term: number;
  /** Null from the beginning. */
  readonly position: string | null;
}

export interface StoredLease {
  readonly kind: 'lease';
  readonly lease: Lease;
  /** Changes whenever the lease is written; null when it was never taken. */
  readonly etag: string | null;
}

export interface LeaseChange {
  readonly lease: Lease;
  readonly etag: string | null;
  /** At most `MOST_WAITING_A_SAVE` together. */
  readonly keep: readonly WaitingEntry[];
  readonly drop: readonly EntryRef[];
}

export type EntryEnd =
  | { readonly kind: 'done' }
  /** A sweep that is to go on at once. */
  | { readonly kind: 'going' }
  /** Another sweeper is at it. */
  | { readonly kind: 'taken' }
  | Denial;

/** What the worker over the change feed needs of the store. Refusals come back as denials. */
export interface FeedPort {
  readonly ranges: readonly string[];
  readLease(range: string): Promise<StoredLease | Denial>;
  /** Atomic, and only over the state that `etag` names: `lost` when the lease was written since. */
  saveLease(
    change: LeaseChange,
  ): Promise<{ readonly kind: 'saved'; readonly etag: string } | { readonly kind: 'lost' } | Denial>;
  readWaiting(range: string): Promise<{ readonly kind: 'waiting'; readonly entries: readonly WaitingEntry[] } | Denial>;
  openFeed(range: string, position: string | null): ChangeReader;
  /** Brings an entry to its end, or a sweep some way on. Idempotent, and safe beside anyone else who does the same. */
  applyEntry(ref: EntryRef): Promise<EntryEnd>;
}

/** With the lease, Cosmos takes 100 operations in a batch. */
export const MOST_WAITING_A_SAVE = 90;
