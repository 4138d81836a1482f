import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { rotateKey } from '#gateway/content/acts/rotate-key.ts';
import type { Content } from '#gateway/content/create-content.ts';
import { createContent } from '#gateway/content/create-content.ts';
import { KeyFile } from '#gateway/content/keys/key-folder.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { createVaultWrapping } from '#gateway/content/keys/vault-wrapping.ts';
import { tempFolder } from '#test/support/temp-folder.ts';
import { chat, opened, seal, sealedWith } from './gateways.ts';
import { startTestVault, type TestVault, VAULT_TOKEN } from './test-vault.ts';

let vault: TestVault;
let keysDir: string;
let clock: { nowMs: number };
let said: string[];
beforeEach(async () => {
  vault = await startTestVault();
  keysDir = await tempFolder();
  clock = { nowMs: Date.now() };
  said = [];
});
afterEach(() => vault.close());

function place() {
  const wrapping = createVaultWrapping({
    vaultUrl: vault.url,
    now: () => clock.nowMs,
    before: createMasterWrapping(keysDir),
    credential: { getToken: async () => ({ token: VAULT_TOKEN, expiresOnTimestamp: Date.now() + 3_600_000 }) },
    client: { tlsOptions: { ca: vault.cert }, disableChallengeResourceVerification: true },
  });
  return { keysDir, wrapping };
}

function start(): Content {
  return createContent({ ...place(), now: () => clock.nowMs, say: (sentence) => void said.push(sentence) });
}

async function keyFile(keyId: string): Promise<KeyFile> {
  return KeyFile.parse(JSON.parse(await readFile(join(keysDir, 'chat', `${keyId}.json`), 'utf8')));
}

describe('data keys in Azure Key Vault', () => {
  it("are wrapped by the tenant's own key, whose version the file names, and open on every gateway", async () => {
    vault.makeKey('habitat-chat');
    const sealed = await seal(start());
    expect(vault.calls).toContain('POST wrapkey habitat-chat');
    expect((await keyFile('k1')).vaultKey).toMatch(new RegExp(`^${vault.url}/keys/habitat-chat/[0-9a-f]{32}$`));
    expect(await opened(start(), sealed)).toBe('hello');
    expect(vault.calls).toContain('POST unwrapkey habitat-chat');
  });

  it('outlive a new version of the key that wraps them', async () => {
    vault.makeKey('habitat-chat');
    const gateway = start();
    const sealed = await seal(gateway);
    vault.makeKey('habitat-chat');
    await rotateKey(place(), chat, clock.nowMs);
    expect((await keyFile('k2')).vaultKey).not.toBe((await keyFile('k1')).vaultKey);
    clock.nowMs += 60_000;
    const [again, fresh] = [start(), await seal(gateway)];
    expect(fresh.keyId).toBe('k2');
    expect([await opened(again, sealed), await opened(again, fresh)]).toEqual(['hello', 'hello']);
  });

  it('lie beside older ones that the folder wraps', async () => {
    const old = await seal(createContent({ keysDir, now: () => clock.nowMs }));
    vault.makeKey('habitat-chat');
    await rotateKey(place(), chat, clock.nowMs);
    clock.nowMs += 60_000;
    const gateway = start();
    expect(await opened(gateway, old)).toBe('hello');
    expect(await sealedWith(gateway)).toBe('k2');
    // Without the vault the new key cannot be had, and the operator is told what is missing.
    const without: string[] = [];
    const say = (sentence: string) => void without.push(sentence);
    expect(await sealedWith(createContent({ keysDir, now: () => clock.nowMs, say }))).toBe('key_unavailable');
    expect(without.join()).toContain('HABITAT_KEY_VAULT is not set');
  });

  it('die with the key in the vault', async () => {
    vault.makeKey('habitat-chat');
    const gateway = start();
    const sealed = await seal(gateway);
    const { keys, beside } = await destroyKeys(place(), chat, clock.nowMs);
    expect(keys).toEqual(['k1']);
    expect(beside).toBe('Deleted habitat-chat in Key Vault. It can be recovered there until it is purged.');
    clock.nowMs += 60_000;
    expect([await opened(gateway, sealed), await opened(start(), sealed)]).toEqual(Array(2).fill('key_unavailable'));
    expect((await destroyKeys(place(), chat, clock.nowMs)).beside).toBe('Key Vault has no key habitat-chat any more.');
  });

  it('are never unwrapped by a key that another place or tenant has', async () => {
    vault.makeKey('habitat-chat');
    vault.makeKey('habitat-chat2');
    const sealed = await seal(start());
    const file = await keyFile('k1');
    const { vaultKey = '' } = file;
    const others = [vaultKey.replace('localhost', '127.0.0.1'), vaultKey.replace('habitat-chat', 'habitat-chat2')];
    for (const other of others) {
      await writeFile(join(keysDir, 'chat', 'k1.json'), JSON.stringify({ ...file, vaultKey: other }));
      vault.calls.length = 0;
      expect(await opened(start(), sealed)).toBe('key_unavailable');
      expect(vault.calls).toEqual([]);
      expect(said.at(-1)).toContain('which is not its key in this vault');
    }
  });
});

describe('a vault that gives no key', () => {
  it.each([
    [{ status: 403, code: 'Forbidden' }, 'Key Vault refuses habitat-chat: it is disabled, or the gateway lacks'],
    [{ status: 404, code: 'KeyNotFound' }, 'Key Vault has no key habitat-chat: make an RSA key'],
    [{ status: 400, code: 'BadParameter' }, 'Key Vault gave nothing for habitat-chat'],
    ['cut' as const, 'Key Vault gave nothing for habitat-chat'],
  ])('%j is key_unavailable, and the operator is told why', async (instead, sentence) => {
    vault.instead = instead;
    expect(await sealedWith(start())).toBe('key_unavailable');
    expect(said.join()).toContain(sentence);
  });

  it('is asked once a second, however many requests come, and serves again when it is back', async () => {
    vault.makeKey('habitat-chat');
    const sealed = await seal(start());
    vault.instead = { status: 403, code: 'Forbidden' };
    const gateway = start();
    expect(await opened(gateway, sealed)).toBe('key_unavailable');
    const asked = vault.calls.length;
    for (let n = 0; n < 20; n += 1) expect(await opened(gateway, sealed)).toBe('key_unavailable');
    expect(vault.calls).toHaveLength(asked);
    vault.instead = null;
    clock.nowMs += 1_000;
    expect(await opened(gateway, sealed)).toBe('hello');
  });
});
