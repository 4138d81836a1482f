import { z } from 'zod';

/** What an open outbox entry is about: names, never content. An unreadable entry is named by its partition alone. */
export const EntrySummary = z.object({
  /** `pairs`: inverse edges that are to be written; `sweep`: edges of a deleted object. */
  kind: z.enum(['pairs', 'sweep', 'unreadable']),
  tenant: z.string(),
  type: z.string(),
  objectId: z.string(),
  /** The forward edge type and the first of its targets; null unless `pairs`. */
  edge: z.object({ edgeType: z.string(), inverse: z.string(), to: z.string() }).nullable(),
  /** Inverses to write, or edges swept so far. */
  items: z.int(),
  atMs: z.int(),
});
export type EntrySummary = z.infer<typeof EntrySummary>;

/** Where an outbox entry is stored. */
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
