import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContent } from '#gateway/content/create-content.ts';
import { ObjectId, TenantName } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { ContentBinding, ContentPort, SealedContent } from '#gateway/pipeline/store-port.ts';
import { tempFolder } from '#test/support/temp-folder.ts';

const binding: ContentBinding = {
  tenant: TenantName.parse('chat'),
  pk: `chat|Message|${ObjectId.parse('m1')}`,
  itemId: 'o',
  type: 'Message',
  r: 17,
  timeMs: 1_700_000_000_000,
};

async function seal(content: ContentPort, plain: Uint8Array): Promise<SealedContent> {
  const sealed = await content.seal(binding, plain, 'text/plain');
  if (isDenial(sealed)) throw new Error(`not sealed: ${sealed.code}`);
  return sealed;
}

async function codeOf(opened: object): Promise<string> {
  const result = await opened;
  return isDenial(result) ? result.code : 'opened';
}

function contentIn(keysDir: string, nowMs = 1_700_000_000_000): ContentPort {
  return createContent({ keysDir, now: () => nowMs });
}

describe('content', () => {
  it('comes back byte for byte, whatever its bytes', async () => {
    const content = contentIn(await tempFolder());
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 4_000 }),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 600 })).map(repeated),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (plain) => {
        const opened = await content.open(binding, await seal(content, plain));
        expect(isDenial(opened) ? opened.code : Buffer.from(opened)).toEqual(Buffer.from(plain));
      }),
      { numRuns: 80 },
    );
  });

  it('is compressed from 1 KB up and only when that is smaller', async () => {
    const content = contentIn(await tempFolder());
    expect((await seal(content, Buffer.alloc(1_024, 'a'))).codec).toBe('zstd');
    expect((await seal(content, Buffer.alloc(1_023, 'a'))).codec).toBe('none');
    expect((await seal(content, randomBytes(8_192))).codec).toBe('none');
  });

  it('never shows eight bytes of its plain text in the envelope', async () => {
    const content = contentIn(await tempFolder());
    const marker = 'MARKER-4711-PLAINTEXT';
    const envelope = Buffer.from((await seal(content, Buffer.from(marker))).envelope, 'base64').toString('latin1');
    for (let at = 0; at + 8 <= marker.length; at += 1) expect(envelope).not.toContain(marker.slice(at, at + 8));
  });

  it('answers checksum_mismatch for each flipped byte of the envelope', async () => {
    const content = contentIn(await tempFolder());
    const sealed = await seal(content, Buffer.from('hello'));
    const envelope = Buffer.from(sealed.envelope, 'base64');
    for (let at = 0; at < envelope.length; at += 1) {
      const damaged = Buffer.from(envelope);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      const opened = content.open(binding, { ...sealed, envelope: damaged.toString('base64') });
      expect(await codeOf(opened)).toBe('checksum_mismatch');
    }
  });

  it('answers content_unreadable when any clear field that it is bound to changes', async () => {
    const content = contentIn(await tempFolder());
    const sealed = await seal(content, Buffer.alloc(2_000, 'a'));
    const moved: readonly Partial<ContentBinding>[] = [
      { pk: 'chat|Message|m2' },
      { itemId: 'e~messages~m1' },
      { type: 'User' },
      { r: 18 },
      { timeMs: 0 },
    ];
    for (const change of moved) {
      expect(await codeOf(content.open({ ...binding, ...change }, sealed))).toBe('content_unreadable');
    }
    const changed: readonly Partial<SealedContent>[] = [
      { contentType: 'text/html' },
      { plainBytes: 1_999 },
      { codec: 'none' },
    ];
    for (const change of changed) {
      expect(await codeOf(content.open(binding, { ...sealed, ...change }))).toBe('content_unreadable');
    }
    expect(await codeOf(content.open(binding, sealed))).toBe('opened');
  });

  it("is not readable with another tenant's key", async () => {
    const content = contentIn(await tempFolder());
    const sealed = await seal(content, Buffer.from('hello'));
    const other = { ...binding, tenant: TenantName.parse('other') };
    expect(await codeOf(content.open(other, sealed))).toBe('key_unavailable');
    await content.seal(other, Buffer.from('x'), 'text/plain');
    expect(await codeOf(content.open(other, sealed))).toBe('content_unreadable');
  });
});

describe('data keys', () => {
  it('are made once: two gateways that start together read what each other wrote', async () => {
    const keysDir = await tempFolder();
    const gateways = Array.from({ length: 6 }, () => contentIn(keysDir));
    const sealed = await Promise.all(gateways.map((gateway) => seal(gateway, Buffer.from('hello'))));
    for (const gateway of gateways) {
      for (const one of sealed) expect(await codeOf(gateway.open(binding, one))).toBe('opened');
    }
    expect(await readdir(join(keysDir, 'chat'))).toEqual(['k1.json']);
  });

  it('lie wrapped, in files that only the owner reads', async () => {
    const keysDir = await tempFolder();
    await seal(contentIn(keysDir), Buffer.from('hello'));
    for (const path of [join(keysDir, 'master'), join(keysDir, 'chat', 'k1.json')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    const wrapped: unknown = JSON.parse(await readFile(join(keysDir, 'chat', 'k1.json'), 'utf8'));
    expect(wrapped).toEqual({ format: 1, createdMs: 1_700_000_000_000, wrapped: expect.any(String) });
  });

  it('do not open under another master key, and a lost master key is not replaced', async () => {
    const keysDir = await tempFolder();
    const sealed = await seal(contentIn(keysDir), Buffer.from('hello'));
    await rm(join(keysDir, 'master'));
    expect(await codeOf(contentIn(keysDir).open(binding, sealed))).toBe('key_unavailable');
    expect(await readdir(keysDir)).toEqual(['chat']);
    await writeFile(join(keysDir, 'master'), randomBytes(32).toString('base64'));
    expect(await codeOf(contentIn(keysDir).open(binding, sealed))).toBe('key_unavailable');
    expect(await codeOf(contentIn(keysDir).seal(binding, Buffer.from('x'), 'text/plain'))).toBe('key_unavailable');
  });

  it('in a folder that cannot be used answer key_unavailable', async () => {
    const keysDir = join(await tempFolder(), 'keys');
    await writeFile(keysDir, 'a file, not a folder');
    expect(await codeOf(contentIn(keysDir).seal(binding, Buffer.from('x'), 'text/plain'))).toBe('key_unavailable');
    const strange = await tempFolder();
    await mkdir(join(strange, 'master'));
    expect(await codeOf(contentIn(strange).seal(binding, Buffer.from('x'), 'text/plain'))).toBe('key_unavailable');
  });
});

function repeated([unit, times]: [Uint8Array, number]): Uint8Array {
  return Buffer.concat(Array.from({ length: times }, () => unit));
}
