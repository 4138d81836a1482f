import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SectionsWanted } from '#gateway/contract/machine-api.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import { fetchSections } from '#gateway/release/fetch-sections.ts';
import {
  readReleaseHeader,
  readReleaseSection,
  readReleaseSections,
  Sha256Param,
} from '#server/gateways/read-release.ts';
import { addRelease, NOON, openBareConsole } from '#test/support/bare-console.ts';
import { callMachine } from '#test/support/machine.ts';

const test = await openBareConsole();
const { db } = test;

describe('bytes of a release', () => {
  it('are served as they were signed and may be kept for ever', async () => {
    const { sha256 } = await addRelease(db, 1, NOON);
    const header = await callMachine(test, { schema: Sha256Param, verb: readReleaseHeader, params: { sha256 } });
    expect(await header.json()).toEqual({ number: 1, sha256 });
    const content = Buffer.from('{"items":[ ]}\n');
    const hash = createHash('sha256').update(content).digest('hex');
    await db.releaseSection.create({ data: { sha256: hash, kind: 'policy', content } });
    const section = await callMachine(test, {
      schema: Sha256Param,
      verb: readReleaseSection,
      params: { sha256: hash },
    });
    expect(Buffer.from(await section.arrayBuffer())).toEqual(content);
    expect(section.headers.get('cache-control')).toContain('immutable');
  });

  it('an unknown hash is not found, and what is no hash is invalid', async () => {
    const ask = (sha256: string) =>
      callMachine(test, { schema: Sha256Param, verb: readReleaseSection, params: { sha256 } });
    expect((await ask('0'.repeat(64))).status).toBe(404);
    expect((await ask('../etc')).status).toBe(400);
  });

  it('many sections come in one reply, in the order asked; one that is unknown refuses all', async () => {
    const contents = ['{"items":["a"]}', '{"items":["ä\\n"]}'].map((text) => Buffer.from(text));
    const hashes = contents.map((content) => createHash('sha256').update(content).digest('hex'));
    const data = contents.map((content, at) => ({ sha256: hashes[at] ?? '', kind: 'policy', content }));
    await db.releaseSection.createMany({ data });
    const ask = (sha256: readonly string[]) =>
      callMachine(test, { schema: SectionsWanted, verb: readReleaseSections, body: { sha256 } });
    const client: ConsoleClient = {
      get: async () => ({ kind: 'away', message: 'It asks for many at once.' }),
      post: async (_, { sha256 }: { sha256: readonly string[] }) => {
        const reply = await ask(sha256);
        return { kind: 'ok', status: reply.status, etag: null, body: Buffer.from(await reply.arrayBuffer()) };
      },
    };
    expect(await fetchSections(hashes.toReversed(), client)).toEqual(contents.toReversed());
    expect((await ask([hashes[0] ?? '', '0'.repeat(64)])).status).toBe(404);
    expect((await ask([])).status).toBe(400);
  });
});
