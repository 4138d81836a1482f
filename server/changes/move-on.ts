import 'server-only';
import { advanceRollout } from '#server/publication/advance-rollout.ts';
import { type Publishing, publishQueued } from './publish-queued.ts';

/** Takes an open rollout on, then publishes what waited for it. Cheap when there is neither. */
export async function moveOn(ctx: Publishing): Promise<void> {
  await advanceRollout(ctx);
  await publishQueued(ctx);
}
