import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PatchOperation } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import {
  type Fixture,
  idOf,
  keyed,
  keyOf,
  memberOf,
  members,
  newCall,
  servedBy,
  startFixture,
} from './store-fixture.ts';
import { containerOf, itemsOf, partitionOf } from './stored-items.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const NONE = { ifMatch: null, ifAbsent: false };
const MARKER = 'Zq7#marker-0123456789-TOP-SECRET-plaintext';

async function putObject(id: string, text: string) {
  const content = { content: Buffer.from(text), contentType: 'text/plain', precondition: NONE };
  await servedBy(fixture.store.putObject(keyOf('Message', id), content, newCall(keyed(`put ${id}`))));
}

async function openObject(id: string): Promise<Uint8Array | Denial> {
  const found = await servedBy(fixture.store.getObject(keyOf('Message', id), newCall()));
  return fixture.content.open(found.binding, found.sealed);
}

async function patchObject(id: string, operations: PatchOperation[]) {
  await containerOf(fixture.emulator)
    .item('o', partitionOf(keyOf('Message', id)))
    .patch(operations);
}

function codeOf(opened: Uint8Array | Denial): string {
  return isDenial(opened) ? opened.code : 'opened';
}

describe('the files of the store', () => {
  it('hold no eight bytes of what objects and edges contain', async () => {
    await putObject('small', MARKER);
    await putObject('large', MARKER.repeat(100));
    const edge = { from: keyOf('User', 'ann'), rule: memberOf, toId: idOf('r1') };
    await servedBy(fixture.store.putEdge(edge, { timeMs: 1, data: Buffer.from(MARKER) }, newCall(keyed('edge'))));
    const inverse = { from: keyOf('Conversation', 'r1'), rule: members };
    expect(await servedBy(fixture.store.countEdges(inverse, newCall()))).toBe(1);

    const names = await readdir(fixture.dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
    // What is stored in clear is found, so the search itself works.
    expect(bytes.includes('chat|Message|large')).toBe(true);
    for (const form of [MARKER, Buffer.from(MARKER).toString('base64')]) {
      for (let at = 0; at + 8 <= form.length; at += 1) expect(bytes.includes(form.slice(at, at + 8))).toBe(false);
    }
  });
});

describe('a stored object', () => {
  it('with a flipped byte of its envelope is checksum_mismatch', async () => {
    await putObject('flipped', 'hello');
    const [item] = (await itemsOf(fixture.emulator, keyOf('Message', 'flipped'))).filter(({ id }) => id === 'o');
    const { envelope } = z.object({ envelope: z.string() }).parse(item?.content);
    const damaged = Buffer.from(envelope, 'base64');
    damaged[20] = (damaged[20] ?? 0) ^ 0x10;
    await patchObject('flipped', [{ op: 'set', path: '/content/envelope', value: damaged.toString('base64') }]);
    expect(codeOf(await openObject('flipped'))).toBe('checksum_mismatch');
  });

  it.each([
    ['/r', 1],
    ['/timeMs', 1],
    ['/content/contentType', 'text/html'],
    ['/content/plainBytes', 4],
  ])('with a changed clear field (%s) is content_unreadable', async (path, value) => {
    const id = `changed${path.replaceAll('/', '-')}`;
    await putObject(id, 'hello');
    expect(codeOf(await openObject(id))).toBe('opened');
    await patchObject(id, [{ op: 'set', path, value }]);
    expect(codeOf(await openObject(id))).toBe('content_unreadable');
  });

  it("holding another object's content is content_unreadable", async () => {
    await putObject('mine', 'hello');
    await putObject('theirs', 'world');
    const [theirs] = (await itemsOf(fixture.emulator, keyOf('Message', 'theirs'))).filter(({ id }) => id === 'o');
    await patchObject('mine', [{ op: 'set', path: '/content', value: theirs?.content }]);
    expect(codeOf(await openObject('mine'))).toBe('content_unreadable');
  });
});
