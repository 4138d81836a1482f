import { expect, it } from 'vitest';
import { MANIFEST_WAIT_MS } from '#gateway/contract/machine-api.ts';
import { holdUntil, MIN_HOLD_MS, placeOf } from '#server/gateways/hold-until.ts';
import { NOON, openBareConsole } from '#test/support/bare-console.ts';
import { addBulkRows } from '#test/support/bulk-rows.ts';

const GATEWAYS = 50;

/** When each of fifty gateways asks for the manifest: all at once at `syncedMs`, then when it was let go of. */
function pollsFrom(syncedMs: number, untilMs: number): number[] {
  return Array.from({ length: GATEWAYS }, (_, rank) => {
    const polls = [syncedMs];
    while ((polls.at(-1) ?? 0) < untilMs) polls.push(holdUntil({ rank, of: GATEWAYS }, polls.at(-1) ?? 0));
    return polls.slice(1);
  }).flat();
}

it.each([NOON, NOON + 3_333, NOON + 12_345, NOON + 24_999])(
  'after fifty gateways asked at once, no second of a round holds more than 5 %% of their requests (%i)',
  (syncedMs) => {
    const polls = pollsFrom(syncedMs, syncedMs + 10 * MANIFEST_WAIT_MS);
    const bySecond = Map.groupBy(polls, (atMs) => Math.floor(atMs / 1_000));
    const most = Math.max(...[...bySecond.values()].map(({ length }) => length));
    expect(most / GATEWAYS).toBeLessThanOrEqual(0.05);
  },
);

it('a request is held from 5 s to 30 s, so that none hangs longer than a gateway waits', () => {
  for (let at = 0; at < MANIFEST_WAIT_MS; at += 250) {
    const heldMs = holdUntil({ rank: 7, of: GATEWAYS }, NOON + at) - NOON - at;
    expect(heldMs).toBeGreaterThanOrEqual(MIN_HOLD_MS);
    expect(heldMs).toBeLessThanOrEqual(MANIFEST_WAIT_MS + MIN_HOLD_MS);
  }
});

it('places go by name among gateways that have not left, each once', async () => {
  const { db } = await openBareConsole();
  const none = { objectTypes: 0, edgeTypes: 0, tenants: 0, policies: 0, changes: 0, auditRows: 0 };
  await addBulkRows(db, { ...none, releases: 1, gateways: GATEWAYS });
  await db.gateway.update({ where: { name: 'bulk-1' }, data: { leftAt: new Date(NOON) } });
  const names = (await db.gateway.findMany({ where: { leftAt: null } })).map(({ name }) => name);
  const places = await Promise.all(names.map((name) => placeOf(db, name, NOON)));
  expect(new Set(places.map(({ rank }) => rank)).size).toBe(GATEWAYS - 1);
  expect(places.every(({ of }) => of === GATEWAYS - 1)).toBe(true);
  expect(await placeOf(db, 'newcomer', NOON)).toEqual({ rank: GATEWAYS - 1, of: GATEWAYS });
  expect((await placeOf(db, 'bulk-2', NOON + 48 * 3_600_000)).of).toBe(1);
});
