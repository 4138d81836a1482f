import { z } from 'zod';

/** At most so many differences of each sort are named. */
export const MOST_NAMED = 20;

/** What does not agree of one object, as gateways found it. Nothing changes it by itself. */
export const Drift = z.object({
  /** Edge types whose count is not the length of their list. */
  counts: z.array(z.object({ edgeType: z.string(), counted: z.int(), listed: z.int() })).max(MOST_NAMED),
  /** Null unless more is stored than was counted. */
  bytes: z.object({ counted: z.int(), stored: z.int() }).nullable(),
  /**
   * Forward edges whose inverse is missing or another state of it, and inverses (`orphan`) whose forward edge is missing;
   * `edgeType` is the forward one.
   */
  inverses: z
    .array(z.object({ edgeType: z.string(), from: z.string(), to: z.string(), what: z.enum(['missing', 'orphan']) }))
    .max(MOST_NAMED),
});
export type Drift = z.infer<typeof Drift>;

/** What an open outbox entry is about: names, never content. An unreadable entry is named by its partition alone. */
export const EntrySummary = z.object({
  /**
   * `pairs`: inverse edges that are to be written; `sweep`: edges of a deleted object; `drift`: no entry of the outbox, but
   * an object of which something does not agree and that is to be recounted when somebody asks.
   */
  kind: z.enum(['pairs', 'sweep', 'unreadable', 'drift']),
  tenant: z.string(),
  type: z.string(),
  objectId: z.string(),
  /** The forward edge type and the first of its targets; null unless `pairs`. */
  edge: z.object({ edgeType: z.string(), inverse: z.string(), to: z.string() }).nullable(),
  /** Inverses to write, edges swept so far, or differences. */
  items: z.int(),
  /** Since when: when it was written, or found. */
  atMs: z.int(),
  /** Absent unless `drift`. */
  drift: Drift.exactOptional(),
});
export type EntrySummary = z.infer<typeof EntrySummary>;

/** Where an outbox entry is stored; of drift, the object's partition and a name of its own. */
export const EntryRef = z.object({ pk: z.string(), id: z.string() });
export type EntryRef = z.infer<typeof EntryRef>;

/** An entry that was met and could not be finished yet. */
export const WaitingEntry = z.object({
  ref: EntryRef,
  summary: EntrySummary,
  /** Attempts that failed for a reason of the entry's own. */
  failures: z.int(),
  nextAtMs: z.int(),
  /** Why the last attempt did not finish it; null before one did. */
  reason: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Set when it failed too often: it rests until somebody asks for another try. */
  parkedAtMs: z.int().nullable(),
});
export type WaitingEntry = z.infer<typeof WaitingEntry>;

/** What is stored under one type of a tenant in one range: objects of an object type, or edges of an edge type. */
export const StoredSum = z.object({
  tenant: z.string(),
  type: z.string(),
  count: z.int(),
  bytes: z.int(),
  /** Of an object type: what the largest object takes with all that is stored beside it. */
  largestBytes: z.int().exactOptional(),
  /** Of an edge type: how many edges of it the object with most of them has. */
  longestList: z.int().exactOptional(),
});
export type StoredSum = z.infer<typeof StoredSum>;

/** How the worker over the change feed fares in one range, and what it says of the entries that wait there. */
export const RangeReport = z.object({
  range: z.string(),
  /** Raised each time the range changes hands: what an earlier holder says late is ignored. */
  term: z.int(),
  /** Age of what was read last while there is more to read; 0 at the end; null before the first page. */
  lagMs: z.int().nullable(),
  /** Entries that were left behind and brought to their end in this term. */
  repaired: z.int(),
  /** Why it cannot go on now; null while all is well. */
  problem: z.string().nullable(),
  /** Everything that waits was told in this term: whatever else the console knows of the range is over. */
  isWhole: z.boolean(),
  /** New or changed since the last report. */
  waiting: z.array(WaitingEntry).max(1_000),
  /** No longer waiting. */
  ended: z.array(EntryRef).max(1_000),
  /** Everything that is stored in the range, counted anew; absent while there is no newer count than was told. */
  stored: z.object({ asOfMs: z.int(), sums: z.array(StoredSum) }).optional(),
});
export type RangeReport = z.infer<typeof RangeReport>;

/** POST `/api/gateway/background`, every few seconds. Repeating one changes nothing. */
export const BackgroundReport = z.object({ ranges: z.array(RangeReport) });
export type BackgroundReport = z.infer<typeof BackgroundReport>;

/** Entries of the ranges in the report that somebody asked to try again. */
export const BackgroundReply = z.object({ again: z.array(z.object({ range: z.string(), ref: EntryRef })) });
export type BackgroundReply = z.infer<typeof BackgroundReply>;
