import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createContent } from '#gateway/content/create-content.ts';
import { createStore } from '#gateway/store/create-store.ts';
import { ensureContainer } from '#gateway/store/ensure-container.ts';
import type { PointLane } from '#gateway/store/points/point-reads.ts';
import { startTestEmulator } from '#test/gateway/emulator/with-emulator.ts';
import { startTokenIssuer, type TokenIssuer } from '#test/gateway/store/azure/token-issuer.ts';
import { replyOf, startRawServer } from '#test/gateway/store/http/raw-server.ts';
import { LANES } from '#test/gateway/store/points/lanes.ts';
import { codeOf, idOf, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await startTokenIssuer();
});
afterEach(() => {
  issuer.refuse(null);
  issuer.hang(false);
});

/** An account of two regions that accepts the issuer's tokens, and a store that has no key to it. */
async function startAccount(pointReads: PointLane) {
  const entraPublicKey = issuer.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const regions = [
    { name: 'East', port: 0 },
    { name: 'West', port: 0 },
  ];
  const { emulator, client, dir, close } = await startTestEmulator({
    accounts: [{ name: 'entra', regions }],
    entraPublicKey,
  });
  await ensureContainer(client);
  onTestFinished(close);
  return { emulator, ...storeAt(emulator.url, { dir, pointReads }) };
}

function storeAt(endpoint: string, { dir = '/nowhere', pointReads }: { dir?: string; pointReads: PointLane }) {
  const content = createContent({ keysDir: dir, now: Date.now });
  const credential = { kind: 'entra' } as const;
  const store = createStore({ endpoint, credential, content, clock: { now: Date.now }, pointReads });
  onTestFinished(() => store.close());
  return { store };
}

it.each(LANES)(
  'a store without a key writes and reads in all regions of the account by one token of Entra ID (%s)',
  async (lane) => {
    const { emulator, store } = await startAccount(lane);
    const edge = { from: keyOf('Conversation', 'c'), rule: messages, toId: idOf('m') };
    await servedBy(store.putEdge(edge, { timeMs: 1, data: null }, newCall()));
    emulator.faults.add({ region: 'East', effect: { kind: 'reset' }, percent: 100 });
    const call = newCall({ consistency: 'eventual' });
    expect(await servedBy(store.countEdges(edge, call))).toBe(1);
    expect(call.attempts.at(-1)).toMatchObject({ status: 200, region: 'West' });
    expect(issuer.asked.filter((audience) => audience === emulator.url)).toHaveLength(1);
  },
);

it.each(LANES)('the authorization header carries the token and the request its date (%s)', async (pointReads) => {
  const server = await startRawServer(() => replyOf(404, '{"message":"none"}'));
  const { store } = storeAt(server.origin, { pointReads });
  await store.probe();
  const head = server.requests[0]?.head ?? '';
  expect(head).toMatch(/^authorization: type%3Daad%26ver%3D1\.0%26sig%3Dey[\w.-]+$/im);
  expect(head).toMatch(/^x-ms-date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/im);
});

it.each(LANES)(
  'without a token nothing is sent, callers hear store_unavailable, and the operator why (%s)',
  async (pointReads) => {
    const server = await startRawServer(() => replyOf(200, '{}'));
    const { store } = storeAt(server.origin, { pointReads });
    issuer.refuse({ text: 'AADSTS7000215: Invalid client secret provided.' });
    expect(await codeOf(store.getObject(keyOf('Message', 'm'), newCall()))).toBe('store_unavailable');
    const { reachable, message } = await store.probe();
    expect([reachable, message]).toEqual([
      false,
      expect.stringContaining('AADSTS7000215: Invalid client secret provided.'),
    ]);
    expect(server.requests).toEqual([]);
  },
);
