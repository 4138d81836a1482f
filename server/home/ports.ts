import type { Ctx } from '#server/context.ts';
import type { LatencyIndex } from '#server/contract/latency.ts';

/** What open changes ask of a person. Given by the routes, since features do not import one another. */
export type ChangesFor = (ctx: Ctx) => Promise<
  readonly {
    readonly number: number;
    readonly kind: 'review' | 'change';
    readonly text: string;
    readonly sinceMs: number;
  }[]
>;

/** The index of tenants over the last 15 minutes, as the person may see it. */
export type RecentLatency = (ctx: Ctx) => Promise<LatencyIndex>;
