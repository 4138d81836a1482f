import { z } from 'zod';
import { EntrySummary } from '#gateway/contract/background.ts';
import { PageQuery, page } from './paging.ts';

/**
 * `waiting`: tried again by itself; `parked`: failed too often, rests until somebody asks; `sweeps`: objects being deleted;
 * `drift`: objects of which something does not agree, recounted when somebody asks.
 */
export const BACKGROUND_LISTS = ['waiting', 'parked', 'sweeps', 'drift'] as const;
export type BackgroundList = (typeof BACKGROUND_LISTS)[number];

/** GET /api/background, newest first. Entries of tenants whose traffic the asker may not see are left out. */
export const BackgroundQuery = PageQuery.extend({ list: z.enum(BACKGROUND_LISTS).default('waiting') });

/** Inverse edges or a sweep that a gateway left behind and that is not finished, or the drift of an object. */
export const BackgroundEntry = EntrySummary.extend({
  id: z.string(),
  failures: z.int(),
  nextAtMs: z.int(),
  reason: z.object({ code: z.string(), message: z.string() }).nullable(),
  parkedAtMs: z.int().nullable(),
  /** Somebody asked for another try, and the gateway was not told yet. */
  isAsked: z.boolean(),
});
export type BackgroundEntry = z.infer<typeof BackgroundEntry>;

export const BackgroundRange = z.object({
  range: z.string(),
  gateway: z.string(),
  lagMs: z.int().nullable(),
  repaired: z.int(),
  problem: z.string().nullable(),
  reportedAtMs: z.int(),
  /** Nothing was heard of it for so long that another gateway should have taken it over. */
  isSilent: z.boolean(),
});
export type BackgroundRange = z.infer<typeof BackgroundRange>;

export const BackgroundPage = page(BackgroundEntry).extend({
  counts: z.object({ waiting: z.int(), parked: z.int(), sweeps: z.int(), drift: z.int() }),
  ranges: z.array(BackgroundRange),
  canAct: z.boolean(),
});
export type BackgroundPage = z.infer<typeof BackgroundPage>;

/** POST /api/background/try-again (operator, admin): one entry by its id, or with null all that rest in a list. */
export const TryAgain = z.strictObject({
  id: z.string().min(1).max(200).nullable(),
  list: z.enum(['parked', 'drift']).default('parked'),
});
export type TryAgain = z.infer<typeof TryAgain>;
export const TriedAgain = z.object({ asked: z.int() });
