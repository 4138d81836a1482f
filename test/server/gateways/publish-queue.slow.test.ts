import { beforeEach, describe, expect, it } from 'vitest';
import { readChange } from '#server/changes/read-change.ts';
import { abandonChange, withdrawChange } from '#server/changes/submit-change.ts';
import { unqueueChange } from '#server/changes/unqueue-change.ts';
import { copied } from '#test/server/compile/fixture.ts';
import { testConsole } from '#test/server/console.ts';
import { startFleet } from './fleet.ts';
import { stagedActs } from './staged-acts.ts';

const console = await testConsole();
const { db } = console;
const fleet = await startFleet(console, ['gw-a', 'gw-b']);
const { asking } = fleet;
const { acts, publish, settle, stage } = stagedActs(console, fleet);
beforeEach(settle);

describe('the queue of publishes', () => {
  it('takes a waiting change out of the queue, by whoever could publish it, and publishes it only when asked again', async () => {
    await stage(copied('objectType', 'Message', 'Poll'));
    const second = await acts.approved([copied('objectType', 'Message', 'Vote')]);
    const read = async (who: string) => readChange(await asking(who), { number: second });
    expect((await read('ana')).may.unqueue).toBeUndefined();
    await publish(second);
    expect((await read('ana')).may.unqueue).toEqual({ may: true, why: '' });
    expect((await read('olga')).may.unqueue).toEqual({
      may: false,
      why: expect.stringMatching(/or an admin takes it out of the queue\.$/),
    });
    await expect(unqueueChange(await asking('olga'), { number: second })).rejects.toMatchObject({
      code: 'not_permitted',
    });
    await unqueueChange(await asking('ana'), { number: second });
    await expect(unqueueChange(await asking('ana'), { number: second })).rejects.toMatchObject({ code: 'wrong_state' });
    await settle();
    expect(await read('ana')).toMatchObject({ row: { state: 'approved', release: null } });
    expect((await publish(second)).release).toBeGreaterThan(0);
    await settle();
  });

  it.each([
    ['taken back to draft', withdrawChange, 'draft'],
    ['abandoned', abandonChange, 'abandoned'],
  ] as const)(
    'does not wait any more once it is %s, and tells nobody that its turn was missed',
    async (_, act, state) => {
      await stage(copied('objectType', 'Message', `Before${state}`));
      const second = await acts.approved([copied('objectType', 'Message', `Queued${state}`)]);
      await publish(second);
      await act(await asking('ana'), { number: second });
      expect(await db.queuedPublish.count()).toBe(0);
      await settle();
      expect(await readChange(await asking('ana'), { number: second })).toMatchObject({
        row: { state, release: null },
      });
      expect(await db.inboxItem.count({ where: { id: { startsWith: 'queue:' }, subject: `change:${second}` } })).toBe(
        0,
      );
    },
  );
});
