import { setTimeout as pause } from 'node:timers/promises';
import type { Trouble } from './plan.ts';
import type { Recorder } from './recorder.ts';
import type { World } from './world.ts';

/** A fault that stops all progress would never see its end; it is lifted after this time. */
const LONGEST_FAULT_MS = 400;

/** Plays the troubles of a plan at their moments. */
export async function playTroubles(world: World, recorder: Recorder, troubles: readonly Trouble[]): Promise<void> {
  await Promise.all(
    troubles.map(async ({ from, until, happening }) => {
      await recorder.reached(from);
      switch (happening.kind) {
        case 'kill':
          return world.killAndRestart(happening.what);
        case 'failover':
          return world.failover(happening.region);
        case 'fault': {
          const { region, effect, percent, operations } = happening;
          const lift = await world.addFault({
            region,
            effect,
            percent,
            ...(operations === null ? {} : { operations: [...operations] }),
          });
          await Promise.race([recorder.reached(until), pause(LONGEST_FAULT_MS)]);
          return lift();
        }
        default:
          return happening satisfies never;
      }
    }),
  );
}
