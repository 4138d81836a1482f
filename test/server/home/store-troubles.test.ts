import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreRegion } from '#gateway/contract/machine-api.ts';
import { changesFor } from '#server/changes/changes-for.ts';
import { readStandings } from '#server/db/gateway-standing.ts';
import { troubledGateways } from '#server/home/gateway-troubles.ts';
import { inboxWith } from '#server/home/inbox.ts';
import { writesAway } from '#server/home/store-troubles.ts';
import { addRelease, NOON, openBareConsole } from '#test/support/bare-console.ts';
import { ANA, addAnswer, addGateway, OLGA, resetScene } from '#test/support/home-scene.ts';
import { storeRegion } from '#test/support/store-region.ts';

const test = await openBareConsole();
const { db, clock } = test;

const east = (more: Partial<StoreRegion> = {}) => storeRegion('East', { takesWrites: true, ...more });
const west = (more: Partial<StoreRegion> = {}) => storeRegion('West', more);
const open = (agoMs: number) => ({ breaker: 'open', breakerSinceMs: NOON - agoMs }) as const;

async function addLive(name: string, storeRegions: readonly StoreRegion[], more: object = {}): Promise<void> {
  await addGateway(db, name, { storeRegions, ...more });
  const release = await db.release.findFirstOrThrow();
  await addAnswer(db, name, 'live', release);
}
const troubles = () => troubledGateways(db, NOON);
const cannotWrite = async () => writesAway((await readStandings(db, NOON)).gateways);

beforeEach(async () => {
  clock.nowMs = NOON;
  await resetScene(db);
  await addRelease(db, 1, NOON - 60_000);
});

describe('a region of the store that does not answer', () => {
  it('is told when it answers no gateway, since the last of them lost it', async () => {
    await addLive('gw-a', [east(), west(open(40_000))]);
    await addLive('gw-b', [east(), west(open(30_000))]);
    expect(await troubles()).toEqual([
      {
        subject: 'store habitat-local West',
        text: 'West of habitat-local answers no gateway',
        href: '/gateways?row=gw-a',
        severity: 'warning',
        sinceMs: NOON - 30_000,
      },
    ]);
    expect(await cannotWrite()).toBeNull();
  });

  it('names the gateways that it does not answer, while it answers others', async () => {
    const names = ['gw-a', 'gw-b', 'gw-c', 'gw-d'];
    for (const [at, name] of names.entries()) await addLive(name, [east(), west(at === 3 ? {} : open(9_000 - at))]);
    expect(await troubles()).toMatchObject([
      { text: 'West of habitat-local does not answer gw-a, gw-b and 1 more', sinceMs: NOON - 9_000 },
    ]);
  });

  it('is still told while one attempt at a time tries it', async () => {
    await addLive('gw-a', [east(), west({ breaker: 'halfOpen', breakerSinceMs: NOON - 5_000 })]);
    expect(await troubles()).toMatchObject([{ text: 'West of habitat-local answers no gateway' }]);
  });

  it('is not told by a gateway that is silent: its last words say nothing about now', async () => {
    await addLive('gw-a', [east(open(60_000)), west(open(60_000))], { lastHeardAt: new Date(NOON - 60_000) });
    expect((await troubles()).map(({ text }) => text)).toEqual(['gw-a has been silent for 1 min; it last served r1']);
    expect(await cannotWrite()).toBeNull();
  });

  it('replaces the sentence of a gateway that cannot reach the store at all', async () => {
    const away = { storeReachable: false, storeMessage: 'connect refused' };
    await addLive('gw-a', [east(open(5_000)), west(open(4_000))], away);
    expect((await troubles()).map(({ text }) => text)).toEqual([
      'East of habitat-local answers no gateway, so nothing can be written',
      'West of habitat-local answers no gateway',
    ]);
    await addLive('gw-old', [], away);
    expect((await troubles()).at(-1)).toMatchObject({ text: 'gw-old cannot reach the store: connect refused' });
  });

  it('is in the inbox of an operator, and in no engineer’s', async () => {
    await addLive('gw-a', [east(), west(open(40_000))]);
    const inbox = inboxWith(changesFor);
    const items = async (who: typeof ANA) => (await inbox(test.ctxOf(who))).items.map(({ text }) => text);
    expect(await items(OLGA)).toEqual(['West of habitat-local answers no gateway']);
    expect(await items(ANA)).toEqual([]);
  });
});

describe('nothing can be written', () => {
  it('when the region that takes writes answers no gateway that is heard of', async () => {
    await addLive('gw-a', [east(open(9_000)), west()]);
    await addLive('gw-b', [east(), west()]);
    expect(await cannotWrite()).toBeNull();
    await db.gateway.update({ where: { name: 'gw-b' }, data: { storeRegions: [east(open(3_000)), west()] } });
    expect(await cannotWrite()).toEqual({ region: 'East', account: 'habitat-local', sinceMs: NOON - 3_000 });
    expect(await troubles()).toMatchObject([
      { text: 'East of habitat-local answers no gateway, so nothing can be written', severity: 'error' },
    ]);
  });

  it('but not while a gateway knows another region that takes them', async () => {
    await addLive('gw-a', [east({ takesWrites: false, ...open(9_000) }), west({ takesWrites: true })]);
    await addLive('gw-b', [east(open(9_000)), west()]);
    expect(await cannotWrite()).toBeNull();
  });

  it('and an older gateway that tells no regions counts as its summary says', async () => {
    await addLive('gw-a', [east(open(9_000)), west()]);
    await addLive('gw-old', []);
    expect(await cannotWrite()).toBeNull();
    await db.gateway.update({ where: { name: 'gw-old' }, data: { storeReachable: false } });
    expect(await cannotWrite()).toMatchObject({ region: 'East' });
  });
});
