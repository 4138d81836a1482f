import type { Ctx } from '#server/context.ts';

/** Takes an open rollout, and the publishes behind it, as far as they may go now. */
export type MoveOn = (ctx: Ctx) => Promise<void>;
