import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { listKeys } from '#gateway/content/acts/list-keys.ts';
import { rotateKey } from '#gateway/content/acts/rotate-key.ts';
import { KeyProblem } from '#gateway/content/keys/key-wrapping.ts';
import { chat, newGateways, seal, sealedWith } from '#test/gateway/content/keys/gateways.ts';

it('keys are listed with what each is for', async () => {
  const { place, clock, start } = await newGateways();
  await seal(start());
  clock.nowMs += 1_000;
  await rotateKey(place, chat, clock.nowMs);
  const states = async () => {
    const [listed] = await listKeys(place.keysDir, { tenant: null, nowMs: clock.nowMs });
    return listed?.keys === 'destroyed' ? 'destroyed' : listed?.keys.map(({ keyId, state }) => `${keyId} ${state}`);
  };
  expect(await states()).toEqual(['k1 writes', 'k2 decrypt-only']);
  clock.nowMs += 60_000;
  expect(await states()).toEqual(['k1 reads', 'k2 writes']);
  await destroyKeys(place, chat, clock.nowMs);
  expect(await states()).toBe('destroyed');
});

it('a rotation is refused without a key, during another, and after destruction', async () => {
  const { place, clock, start } = await newGateways();
  const refused = async () => {
    const error = await rotateKey(place, chat, clock.nowMs).then(
      () => null,
      (problem: unknown) => problem,
    );
    expect(error).toBeInstanceOf(KeyProblem);
    return error instanceof Error ? error.message : '';
  };
  expect(await refused()).toContain('has no key yet');
  await seal(start());
  await rotateKey(place, chat, clock.nowMs);
  expect(await refused()).toContain('k2 of tenant chat was made already');
  await destroyKeys(place, chat, clock.nowMs);
  expect(await refused()).toContain('were destroyed');
});

it('two rotations at once make one key', async () => {
  const { place, clock, start } = await newGateways();
  await seal(start());
  const made = await Promise.allSettled([1, 2, 3].map(() => rotateKey(place, chat, clock.nowMs)));
  expect(made.some(({ status }) => status === 'fulfilled')).toBe(true);
  const [listed] = await listKeys(place.keysDir, { tenant: chat, nowMs: clock.nowMs });
  expect(listed?.keys).toHaveLength(2);
});

it('a destruction that a crash cut short is finished by the next', async () => {
  const { place, clock, start } = await newGateways();
  await seal(start());
  await writeFile(join(place.keysDir, 'chat', 'destroyed'), '');
  expect(await sealedWith(start())).toBe('key_unavailable');
  expect(await destroyKeys(place, chat, clock.nowMs)).toEqual({ keys: ['k1'], beside: null });
  expect(await destroyKeys(place, chat, clock.nowMs)).toEqual({ keys: [], beside: null });
});

it('each act leaves a line that says when, who and what', async () => {
  const { place, clock, start } = await newGateways();
  await seal(start());
  await rotateKey(place, chat, clock.nowMs);
  await destroyKeys(place, chat, clock.nowMs);
  const lines = (await readFile(join(place.keysDir, 'acts.log'), 'utf8')).trim().split('\n');
  const at = new Date(clock.nowMs).toISOString();
  const who = { at, by: expect.any(String), host: expect.any(String), tenant: 'chat' };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...who, act: 'rotate', keys: ['k2'] },
    { ...who, act: 'destroy', keys: ['k1', 'k2'] },
  ]);
});
