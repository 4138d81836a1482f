import 'server-only';
import type { MachineCtx } from './handle-machine.ts';

/** Takes an open rollout, and the publishes behind it, as far as they may go now. */
export type MoveOn = (ctx: MachineCtx) => Promise<void>;

/**
 * Moves on after a gateway's report was kept. A failure is the console's own and is logged: the report counts, the gateway
 * is not told to send it again, and its next one tries anew.
 */
export async function moveOnAfter(ctx: MachineCtx, moveOn: MoveOn): Promise<void> {
  try {
    await moveOn(ctx);
  } catch (error) {
    console.error(`${ctx.requestId} the rollout could not be moved on`, error);
  }
}
