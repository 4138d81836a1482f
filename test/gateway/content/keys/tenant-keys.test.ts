import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { rotateKey } from '#gateway/content/acts/rotate-key.ts';
import type { KeyWrapping } from '#gateway/content/keys/key-wrapping.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { chat, newGateways, opened, seal, sealedWith } from './gateways.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('a rotation while gateways serve', () => {
  it('lets every gateway decrypt with the new key before any writes with it', async () => {
    const { place, clock, start } = await newGateways();
    const gateways = [start(), start()];
    for (const gateway of gateways) await seal(gateway);
    await rotateKey(place, chat, clock.nowMs);
    for (const wait of [0, 20_000, 20_000, 19_999]) {
      clock.nowMs += wait;
      for (const gateway of gateways) expect(await sealedWith(gateway)).toBe('k1');
    }
    // At hand already: the file is not needed any more when the first content of the new key comes.
    clock.nowMs += 1;
    const [first, second] = gateways;
    if (first === undefined || second === undefined) throw new Error('two gateways');
    const fresh = await seal(first);
    expect(fresh.keyId).toBe('k2');
    await rm(join(place.keysDir, 'chat', 'k2.json'));
    expect(await opened(second, fresh)).toBe('hello');
  });

  it('leaves what the old key sealed readable, also for a gateway that starts later', async () => {
    const { place, clock, start } = await newGateways();
    const gateway = start();
    const old = await seal(gateway, 'old');
    await rotateKey(place, chat, clock.nowMs);
    clock.nowMs += 60_000;
    expect(await sealedWith(gateway)).toBe('k2');
    for (const one of [gateway, start()]) expect(await opened(one, old)).toBe('old');
  });

  it('happens by itself after 30 days', async () => {
    const { place, clock, start } = await newGateways();
    const gateway = start();
    const old = await seal(gateway);
    clock.nowMs += 30 * DAY_MS - 60_000;
    expect(await sealedWith(gateway)).toBe('k1');
    expect(await readdir(join(place.keysDir, 'chat'))).toEqual(['k1.json', 'k2.json']);
    clock.nowMs += 60_000;
    for (const one of [gateway, start()]) {
      expect(await sealedWith(one)).toBe('k2');
      expect(await opened(one, old)).toBe('hello');
    }
    expect(await readdir(join(place.keysDir, 'chat'))).toEqual(['k1.json', 'k2.json']);
  });
});

describe('destroyed keys', () => {
  it('answer key_unavailable within 60 s for reads and writes, after a restart at once, and are not made anew', async () => {
    const { place, clock, said, start } = await newGateways();
    const gateway = start();
    const sealed = await seal(gateway);
    await destroyKeys(place, chat, clock.nowMs);
    const restarted = start();
    expect([await sealedWith(restarted), await opened(restarted, sealed)]).toEqual(Array(2).fill('key_unavailable'));
    clock.nowMs += 60_000;
    expect([await sealedWith(gateway), await opened(gateway, sealed)]).toEqual(Array(2).fill('key_unavailable'));
    expect(said).toContain('The data keys of tenant chat were destroyed.');
    expect(await readdir(join(place.keysDir, 'chat'))).toEqual(['destroyed']);
  });

  it('are gone within 60 s under steady load, too', async () => {
    const { place, clock, start } = await newGateways();
    const gateway = start();
    const sealed = await seal(gateway);
    const codes: string[] = [];
    await destroyKeys(place, chat, clock.nowMs);
    for (let second = 0; second < 60; second += 1) {
      clock.nowMs += 1_000;
      codes.push(await opened(gateway, sealed));
      await sealedWith(gateway);
    }
    expect(new Set(codes)).toEqual(new Set(['hello', 'key_unavailable']));
    expect(codes.lastIndexOf('hello')).toBeLessThan(codes.indexOf('key_unavailable'));
  });

  it('leave the memory of a gateway that nobody asks', async () => {
    const held = await heldAfterDestruction(60_000);
    expect(held).toBe('key_unavailable');
  });
});

describe('a provider that cannot be reached', () => {
  it('is survived for 55 s by keys that are unwrapped already, and then refuses', async () => {
    const { wrapping, state } = await fragileWrapping();
    const { clock, said, start } = await newGateways(wrapping);
    const gateway = start();
    const sealed = await seal(gateway);
    state.isDown = true;
    clock.nowMs += 54_999;
    expect(await opened(gateway, sealed)).toBe('hello');
    clock.nowMs += 1;
    expect([await opened(gateway, sealed), await sealedWith(gateway)]).toEqual(Array(2).fill('key_unavailable'));
    expect(said).toContain('A data key cannot be had: the provider is down');
    state.isDown = false;
    expect([await opened(gateway, sealed), await sealedWith(gateway)]).toEqual(['hello', 'k1']);
  });
});

async function fragileWrapping(): Promise<{ wrapping: KeyWrapping; state: { isDown: boolean } }> {
  const { place } = await newGateways();
  const inner = createMasterWrapping(place.keysDir);
  const state = { isDown: false };
  const wrapping: KeyWrapping = {
    ...inner,
    unwrap: async (address, key) => {
      if (state.isDown) throw new Error('the provider is down');
      return inner.unwrap(address, key);
    },
  };
  return { wrapping, state };
}

/** A clock that went back would show a key that is still in memory as fresh. */
async function heldAfterDestruction(idleMs: number): Promise<string> {
  const { place, clock, start } = await newGateways();
  const gateway = start();
  const sealed = await seal(gateway);
  await destroyKeys(place, chat, clock.nowMs);
  clock.nowMs += idleMs;
  gateway.dropStaleKeys();
  clock.nowMs -= idleMs;
  return opened(gateway, sealed);
}

describe('who keeps open what a key sealed', () => {
  it('may show it while the key is confirmed on the way, and hears when it is let go of', async () => {
    const { place, clock, gone, start } = await newGateways();
    const gateway = start();
    const { keyId } = await seal(gateway);
    expect([gateway.holdsKey(chat, keyId), gateway.holdsKey(chat, 'k9')]).toEqual([true, false]);
    // Asking is using: it is unwrapped anew behind the answer, for as long as it is there.
    clock.nowMs += 40_000;
    expect(gateway.holdsKey(chat, keyId)).toBe(true);
    await opened(gateway, await seal(gateway));
    clock.nowMs += 40_000;
    await expect.poll(() => gateway.holdsKey(chat, keyId), { timeout: 15_000 }).toBe(true);
    expect(gone).toEqual([]);
    await destroyKeys(place, chat, clock.nowMs);
    clock.nowMs += 55_000;
    expect(gateway.holdsKey(chat, keyId)).toBe(false);
    gateway.dropStaleKeys();
    expect(gone).toEqual(['chat']);
  });
});
