import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

it('a read that asks for the session of a write sees the write', async () => {
  const container = await target.container('sessions');
  for (let at = 0; at < 5; at += 1) {
    const written = await container.items.upsert({ id: 'x', pk: 'p', at });
    const sessionToken = String(written.headers['x-ms-session-token']);
    expect((await container.item('x', 'p').read({ sessionToken })).resource.at).toBe(at);
  }
});

it('a refused write tells how far its range has come', async () => {
  const container = await target.container('sessions');
  await container.items.upsert({ id: 'taken', pk: 'p' });
  const refused = await container.items.create({ id: 'taken', pk: 'p' }).catch((error: unknown) => error);
  const { code, headers } = refused as { code: number; headers: Record<string, string> };
  expect(code).toBe(409);
  expect(headers['x-ms-session-token']).toMatch(/^\S+$/);
});

it('every reply has its price', async () => {
  const container = await target.container('sessions');
  const written = await container.items.upsert({ id: 'priced', pk: 'p' });
  expect(written.requestCharge).toBeGreaterThan(1);
  expect((await container.item('priced', 'p').read()).requestCharge).toBeGreaterThanOrEqual(1);
});
