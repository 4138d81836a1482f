import { expect } from 'vitest';
import { moveOn } from '#server/changes/move-on.ts';
import { publishChange } from '#server/changes/publish-change.ts';
import { readChange } from '#server/changes/read-change.ts';
import { promoteWith } from '#server/releases/move-rollout.ts';
import { readRelease } from '#server/releases/read-release.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import type { TestConsole } from '#test/server/console.ts';
import type { startFleet } from './fleet.ts';

/** Acts of tests in which releases go out in stages to a fleet. */
export function stagedActs(console: TestConsole, fleet: Awaited<ReturnType<typeof startFleet>>) {
  const { db } = console;
  const { asking } = fleet;
  const acts = changeActs(console);
  const newest = async () => (await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } })).number;
  const release = async (number: number) => readRelease(await asking('olga'), { number });
  const publish = async (number: number, who = 'ana') => {
    const { contentHash } = await readChange(await asking(who), { number });
    return publishChange(await asking(who), { number, contentHash });
  };
  /** Asks after every gateway has reported, as each does every five seconds. */
  const beaten =
    <T>(ask: () => Promise<T>) =>
    async () => {
      await fleet.beat();
      return ask();
    };
  /** Everybody serves the newest release, and no rollout is open: stages are opened by hand. */
  async function settle() {
    const openStage = async () => {
      const open = await db.rollout.findFirst({ where: { endedAt: null } });
      if (open === null) return 'settled';
      await promoteWith(moveOn)(await asking('olga'), { number: open.releaseNumber, stage: open.stage });
      return 'open';
    };
    await expect.poll(beaten(openStage)).toBe('settled');
    const names = [...fleet.gateways.keys()];
    await fleet.expectServing(Object.fromEntries(await Promise.all(names.map(async (name) => [name, await newest()]))));
  }
  /** Publishes an edit that goes out in stages; answers the change, the release and the gateway that goes first. */
  async function stage(edit: Parameters<typeof acts.save>[2]) {
    const change = await acts.approved([edit]);
    const { release: number } = await publish(change);
    const rollout = await db.rollout.findUniqueOrThrow({ where: { releaseNumber: number ?? 0 } });
    const first = String((rollout.stages as string[][])[0]?.[0]);
    return { change, number: number ?? 0, first };
  }
  return { acts, newest, release, publish, beaten, settle, stage };
}
