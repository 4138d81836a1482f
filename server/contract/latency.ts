import { z } from 'zod';
import { Outcome } from '#gateway/contract/errors.ts';
import { Operation } from '#gateway/contract/telemetry.ts';

export const LATENCY_RANGES = ['15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** What Home looks at for tenants that stand out. */
export const HOME_RANGE = '15m' satisfies (typeof LATENCY_RANGES)[number];

/** Relative (`range`) or absolute (`fromMs`, `toMs`) time; absolute wins. */
export const LatencyQuery = z.object({
  range: z.enum(LATENCY_RANGES).default('1h'),
  fromMs: z.coerce.number().int().min(0).optional(),
  toMs: z.coerce.number().int().min(0).optional(),
  operation: z.union([z.literal('all'), Operation]).default('all'),
  gateway: z.string().max(63).default('all'),
  outcome: z.union([z.literal('all'), Outcome]).default('served'),
});

/** GET /api/latency?range=…: the tenants whose traffic the asker may see, worst first. */
export const LatencyIndex = z.object({
  tenants: z.array(
    z.object({
      tenant: z.string(),
      p99Us: z.number().nullable(),
      usualP99Us: z.number().nullable(),
      targetP99Ms: z.int().nullable(),
      requests: z.int(),
      perSecond: z.number(),
      refusedShare: z.number(),
      /** p99 by bucket, for the sparkline; null where there is too little. */
      spark: z.array(z.number().nullable()),
    }),
  ),
  hiddenTenants: z.int(),
  fromMs: z.int(),
  toMs: z.int(),
});
export type LatencyIndex = z.infer<typeof LatencyIndex>;

/** One bucket. A percentile is null when the bucket holds fewer than 10/(1−p) requests. `gap`: no gateway reported. */
export const LatencyPoint = z.object({
  atMs: z.int(),
  requests: z.int(),
  p50Us: z.number().nullable(),
  p95Us: z.number().nullable(),
  p99Us: z.number().nullable(),
  maxUs: z.number().nullable(),
  gap: z.boolean(),
  outcomes: z.record(Outcome, z.int()),
});

/** A release on the time axis: a band from the first gateway's ack to all-live. */
export const LatencyMarker = z.object({
  release: z.int(),
  cause: z.string(),
  /** It took back what an older one did. */
  isRollback: z.boolean(),
  publishedMs: z.int(),
  firstMs: z.int().nullable(),
  allLiveMs: z.int().nullable(),
});

/** GET /api/latency/{tenant} */
export const TenantLatency = z.object({
  tenant: z.string(),
  targetP99Ms: z.int().nullable(),
  /** A sentence made by rule from the data; says when, never because. */
  sentence: z.string(),
  fromMs: z.int(),
  toMs: z.int(),
  bucketMs: z.int(),
  requests: z.int(),
  relativeError: z.number(),
  /** Whole range, from the merged sketch. */
  overall: z.object({
    p50Us: z.number().nullable(),
    p95Us: z.number().nullable(),
    p99Us: z.number().nullable(),
    maxUs: z.number().nullable(),
  }),
  points: z.array(LatencyPoint),
  /** Below the need of a percentile single kept requests are drawn as dots. */
  dots: z.array(z.object({ id: z.string(), atMs: z.int(), us: z.int(), outcome: Outcome })),
  /** Heatmap: rows are log steps of duration (8 a decade), `cells` [column, row, requests] sparse. */
  heatmap: z.object({
    columns: z.int(),
    columnMs: z.int(),
    rowBoundsUs: z.array(z.number()),
    cells: z.array(z.tuple([z.int(), z.int(), z.int()])),
  }),
  markers: z.array(LatencyMarker),
  operations: z.array(
    z.object({
      operation: z.string(),
      requests: z.int(),
      p50Us: z.number().nullable(),
      p99Us: z.number().nullable(),
      ru: z.number(),
      /** Share of what caches were asked for that they had; null when they were not asked. */
      cached: z.number().nullable(),
    }),
  ),
  slowest: z.array(
    z.object({
      id: z.string(),
      atMs: z.int(),
      us: z.int(),
      operation: z.string().nullable(),
      outcome: Outcome,
      release: z.int().nullable(),
      slowestStage: z.string().nullable(),
    }),
  ),
});
export type TenantLatency = z.infer<typeof TenantLatency>;
