import { beforeEach, describe, expect, it } from 'vitest';
import { moveOn } from '#server/changes/move-on.ts';
import { readChange } from '#server/changes/read-change.ts';
import { listGateways } from '#server/gateways/list-gateways.ts';
import { haltByHand, promoteWith, resumeWith } from '#server/releases/move-rollout.ts';
import { rollBackWith } from '#server/releases/roll-back.ts';
import { freezePublishing, unfreezeWith } from '#server/releases/set-freeze.ts';
import { setRolloutRules } from '#server/releases/set-rollout-rules.ts';
import { createKey } from '#server/tenants/create-key.ts';
import { listKeys } from '#server/tenants/list-keys.ts';
import { revokeKey } from '#server/tenants/revoke-key.ts';
import { copied, edited } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { startFleet } from './fleet.ts';
import { stagedActs } from './staged-acts.ts';

const console = await testConsole();
const { db } = console;
const fleet = await startFleet(console, ['gw-a', 'gw-b', 'gw-c']);
const { asking } = fleet;

const all = (number: number) => ({ 'gw-a': number, 'gw-b': number, 'gw-c': number });
const { acts, newest, release, publish, beaten, settle, stage } = stagedActs(console, fleet);
beforeEach(settle);

describe('a release in stages', { timeout: 60_000 }, () => {
  it('goes to one gateway first; later publishes and keys wait for it, and go on by themselves', async () => {
    await fleet.expectServing(all(1));
    const { change, number, first } = await stage(copied('objectType', 'Message', 'Reaction'));
    await fleet.expectServing({ ...all(1), [first]: number });
    const page = await release(number);
    expect(page.row.state).toBe('Stage 1 of 2. Live on 1 of 3: 2 wait for their stage.');
    expect(page.gateways.map(({ gateway, state }) => [gateway, state])).toEqual(
      ['gw-a', 'gw-b', 'gw-c'].map((name) => [name, name === first ? 'live' : 'waiting']),
    );
    expect(await readChange(await asking('ana'), { number: change })).toMatchObject({ row: { state: 'rolling out' } });

    const second = await acts.approved([copied('objectType', 'Message', 'Sticker')]);
    const waits = { release: null, waitsFor: `Waits for r${number}, stage 1 of 2; then it is published by itself.` };
    expect(await publish(second)).toEqual(waits);
    expect(await publish(second)).toEqual(waits);
    const key = await createKey(await asking('ana'), { name: 'chat-api', label: 'later', expiresInDays: null });
    expect(key).toMatchObject({ release: null, waitsFor: `It works once r${number}, stage 1 of 2, is done.` });
    expect((await release(number)).rollout?.queue.map(({ cause }) => cause)).toEqual([
      `∆${second} A change of a test`,
      expect.stringContaining('New key'),
    ]);
    expect(await newest()).toBe(number);

    // A minute is not enough without requests to compare; five are.
    await fleet.beat();
    fleet.clock.aheadMs += 61_000;
    await fleet.beat();
    expect((await release(number)).rollout).toMatchObject({
      stage: 1,
      waitsFor: expect.stringContaining('Opens stage 2'),
    });
    fleet.clock.aheadMs += 240_000;
    await fleet.beat();
    await expect.poll(beaten(newest)).toBe(number + 1);
    const finished = await release(number);
    expect(finished.rollout).toMatchObject({ state: 'done', waitsFor: null });
    expect(finished.row.timeToAllLiveMs).toBeGreaterThan(0);
    expect(await readChange(await asking('ana'), { number: second })).toMatchObject({ row: { release: number + 1 } });
    expect(await db.queuedPublish.count()).toBe(0);
  });

  it('of two publishers at the same moment lets one go out and the other wait', async () => {
    const one = await acts.approved([copied('objectType', 'Message', 'LeftHand')]);
    const other = await acts.approved([copied('objectType', 'Message', 'RightHand')]);
    const numbers = (await Promise.all([publish(one), publish(other)])).map(({ release: number }) => number);
    expect(numbers.filter((number) => number === null)).toHaveLength(1);
    await settle();
    expect(await db.change.count({ where: { number: { in: [one, other] }, state: 'published' } })).toBe(2);
  });

  it('reaches gateways whose console died between the commit and its notice: they ask again', async () => {
    const client = fleet.of('gw-a').client;
    const known = (await client.get('manifest')) as { etag: string };
    // The gateway asks what it would ask after the connection broke; the release is simply there.
    await publish(await acts.approved([copied('objectType', 'Message', 'Unheard')]));
    await settle();
    const answer = await client.get('manifest', { ifNoneMatch: known.etag });
    expect(answer).toMatchObject({ kind: 'ok', status: 200 });
  });

  it('halts when a gateway rejects it, tells its author and operators, and goes on when that is mended', async () => {
    for (const gateway of fleet.gateways.values()) gateway.fault = 'does not know the kind "view"';
    const { change, number, first } = await stage(copied('objectType', 'Message', 'View'));
    const halted = async () => (await release(number)).rollout?.state;
    await expect.poll(beaten(halted)).toBe('halted');
    const page = await release(number);
    expect(page.rollout?.haltReason).toBe(`${first} rejected it: does not know the kind "view"`);
    expect(page.row.state).toContain('Halted at stage 1 of 2.');
    expect(await readChange(await asking('ana'), { number: change })).toMatchObject({ row: { state: 'halted' } });
    const item = { subject: `rollout:${number}`, closedAt: null };
    expect(await db.inboxItem.findMany({ where: item })).toMatchObject([{ userId: 'ana', role: 'operator' }]);
    expect(await db.auditEvent.count({ where: { did: 'halted', release: number, actorKind: 'system' } })).toBe(1);

    for (const gateway of fleet.gateways.values()) gateway.fault = null;
    await fleet.restart(first);
    const state = async () => (await release(number)).row.state;
    await expect.poll(beaten(state)).toContain('Live on 1 of 3');
    await resumeWith(moveOn)(await asking('olga'), { number, stage: 1 });
    expect(await db.inboxItem.count({ where: item })).toBe(0);
  });

  it('halts by hand, is rolled back, and a later publish does not bring the fault back', async () => {
    const { change, number, first } = await stage(edited('objectType', 'User', { maxBytes: 32_768 }));
    await fleet.expectServing({ ...all(number - 1), [first]: number });
    expect((await refusal(haltByHand(await asking('ana'), { number, stage: 1, reason: 'No right.' }))).code).toBe(
      'not_permitted',
    );
    await haltByHand(await asking('olga'), { number, stage: 1, reason: 'The app breaks.' });
    expect((await refusal(haltByHand(await asking('olga'), { number, stage: 1, reason: 'Again.' }))).code).toBe(
      'wrong_state',
    );
    const input = { mode: 'undo' as const, number, reason: 'The app breaks.', newest: number };
    const undone = await rollBackWith(moveOn)(await asking('olga'), input);
    expect(undone.release).toBe(number + 1);
    await fleet.expectServing(all(number + 1));
    expect(await readChange(await asking('ana'), { number: change })).toMatchObject({ row: { state: 'undone' } });
    expect((await release(number)).rollout?.state).toBe('ended');

    const third = await stage(copied('objectType', 'Message', 'Third'));
    await settle();
    expect(third.number).toBe(number + 2);
    const user = await db.definition.findUniqueOrThrow({ where: { kind_name: { kind: 'objectType', name: 'User' } } });
    expect(user.document).toMatchObject({ maxBytes: 16_384 });
  });

  it('gives way to an emergency, which starts from what was live, and its change is approved again', async () => {
    const made = await createKey(await asking('ana'), { name: 'chat-api', label: 'leaky', expiresInDays: null });
    await fleet.expectServing(all(await newest()));
    const { change, number, first } = await stage(copied('objectType', 'Message', 'Bystander'));
    await fleet.expectServing({ ...all(number - 1), [first]: number });
    const ends = async () => (await listKeys(await asking('sam'), { name: 'chat-api' })).revokeEnds;
    expect(await ends()).toMatchObject({ release: number, change });
    await revokeKey(await asking('sam'), { id: made.key.id, reason: 'It leaked.' });
    await fleet.expectServing(all(number + 1));
    expect(await ends()).toBeNull();
    expect(await db.definition.findFirst({ where: { name: 'Bystander', removed: false } })).toBeNull();
    expect((await release(number)).row.undoneBy).toBe(number + 1);
    const back = await readChange(await asking('ana'), { number: change });
    expect(back).toMatchObject({ row: { state: 'approved', release: null }, reviews: [{ voided: false }] });
    expect((await publish(change)).release).toBe(number + 2);
    await settle();
    expect(await db.definition.findFirst({ where: { name: 'Bystander', removed: false } })).not.toBeNull();
  });

  it('halts on a measured regression against the gateways that still have the release before', async () => {
    const { number, first } = await stage(copied('objectType', 'Message', 'Slow'));
    await fleet.expectServing({ ...all(number - 1), [first]: number });
    await fleet.beat();
    fleet.clock.aheadMs += 30_000;
    const { nowMs } = await asking('olga');
    const bucketAt = new Date(Math.floor(nowMs / 10_000) * 10_000 - 10_000);
    for (const gateway of ['gw-a', 'gw-b', 'gw-c']) {
      const failed = gateway === first ? 60 : 1;
      await addBucket({ gateway, bucketAt, outcome: 'served', count: 1_000 });
      await addBucket({ gateway, bucketAt, outcome: 'failed', count: failed });
    }
    await expect
      .poll(
        beaten(async () => (await release(number)).rollout?.state),
        { timeout: 10_000 },
      )
      .toBe('halted');
    expect((await release(number)).rollout).toMatchObject({
      state: 'halted',
      haltReason: 'Failed 5.66 % against 0.10 %.',
    });
    await promoteWith(moveOn)(await asking('olga'), { number, stage: 1 });
    await settle();
    expect(await db.auditEvent.count({ where: { did: 'opened', release: number, actor: 'Olga Ek' } })).toBe(1);
  });

  it('stays where it is while publishing is frozen, and narrowing acts pass', async () => {
    const made = await createKey(await asking('ana'), { name: 'chat-api', label: 'frozen', expiresInDays: null });
    const { number } = await stage(copied('objectType', 'Message', 'Cold'));
    const waiting = await acts.approved([copied('objectType', 'Message', 'Colder')]);
    expect((await publish(waiting)).release).toBeNull();
    expect((await refusal(freezePublishing(await asking('ana'), { reason: 'No right.' }))).code).toBe('not_permitted');
    await freezePublishing(await asking('olga'), { reason: 'Incident 4711.' });
    await fleet.beat();
    fleet.clock.aheadMs += 600_000;
    await fleet.beat();
    expect((await release(number)).rollout).toMatchObject({
      stage: 1,
      waitsFor: 'Publishing is frozen by Olga Ek: Incident 4711. So stage 2 of 2 stays closed.',
    });
    const frozen = await refusal(promoteWith(moveOn)(await asking('olga'), { number, stage: 1 }));
    expect(frozen.code).toBe('publishing_frozen');
    const key = createKey(await asking('ana'), { name: 'chat-api', label: 'no', expiresInDays: null });
    expect((await refusal(key)).publicMessage).toContain('Publishing is frozen by Olga Ek: Incident 4711.');
    await revokeKey(await asking('sam'), { id: made.key.id, reason: 'It leaked.' });
    await fleet.expectServing(all(number + 1));
    await fleet.beat();
    expect(await newest()).toBe(number + 1);
    await unfreezeWith(moveOn)(await asking('sam'), { reason: 'Over.' });
    expect(await newest()).toBe(number + 2);
    expect(await readChange(await asking('ana'), { number: waiting })).toMatchObject({ row: { release: number + 2 } });
  });

  it('gets another gateway for a stage whose gateway left, and waits for nobody silent', async () => {
    const { number, first } = await stage(copied('objectType', 'Message', 'Orphan'));
    await fleet.expectServing({ ...all(number - 1), [first]: number });
    await fleet.leave(first);
    const taken = async () => Object.values(await fleet.serving()).filter((served) => served === number).length;
    await expect.poll(beaten(taken)).toBe(1);
    expect((await release(number)).rollout?.turns.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('joined stage 1'),
    );
  });

  it('does not happen where stages are off', async () => {
    const rules = { staged: false, promotes: 'by hand' as const, afterSeconds: 60 };
    expect(await refusal(rulesBy('ana', rules)).then(({ code }) => code)).toBe('not_permitted');
    await rulesBy('olga', rules);
    const change = await acts.approved([copied('objectType', 'Message', 'AtOnce')]);
    const { release: number } = await publish(change);
    expect(await db.rollout.findUnique({ where: { releaseNumber: number ?? 0 } })).toBeNull();
    await expect.poll(async () => new Set(Object.values(await fleet.serving()))).toEqual(new Set([number]));
    const { gateways } = await listGateways(await asking('olga'));
    expect(gateways.map(({ state }) => state)).toEqual(['live', 'live']);
  });
});

async function rulesBy(who: string, rules: Parameters<typeof setRolloutRules>[1]) {
  return setRolloutRules(await asking(who), rules);
}

async function addBucket(bucket: { gateway: string; bucketAt: Date; outcome: string; count: number }) {
  const rest = { operation: 'object.get', histogram: [[500, bucket.count]], maxUs: 20_000, sumUs: 1, ru: 1 };
  await db.latencyBucket.create({ data: { scope: 'tenant', name: 'chat', widthSeconds: 10, ...rest, ...bucket } });
}
