import { beforeAll, describe, expect, it } from 'vitest';
import { buildIndexes } from '#gateway/release/build-indexes.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import { createLastGood } from '#gateway/release/last-good.ts';
import { createReleaseSource } from '#gateway/release/source.ts';
import { openTable } from '#gateway/release/table.ts';
import type { BuiltRelease } from '#server/publication/build-release.ts';
import { largeInstallation } from '#test/support/large-installation.ts';
import { countingClient, signReleases } from '#test/support/signed-release.ts';
import { tempFolder } from '#test/support/temp-folder.ts';

const published = largeInstallation({ objectTypes: 300, edgeTypes: 300, tenants: 100 });
const releases = await signReleases();
let first: BuiltRelease;
let second: BuiltRelease;
beforeAll(async () => {
  first = await releases.build({ published });
  const edited = published.find(({ name }) => name === 'Type7');
  if (edited === undefined) throw new Error('there is no Type7');
  const edit = { kind: edited.kind, name: 'Type7', document: { ...edited.document, description: 'Changed.' } };
  second = await releases.build({ published, edits: [edit] });
});

const nothingKept = { read: () => null, write: () => {} };

function sourceOver(
  client: ConsoleClient,
  lastGood: Parameters<typeof createReleaseSource>[0]['lastGood'] = nothingKept,
) {
  return createReleaseSource({ client, trust: releases.trust, lastGood, nowMs: () => 0 });
}

/** Hashes of what the second release has and the first has not. */
const freshSections = () => {
  const known = new Set<string>(first.sections.map(({ sha256 }) => sha256));
  return second.sections.filter(({ sha256 }) => !known.has(sha256));
};

describe('a release in parts', () => {
  it('is read whole, with its inverses', async () => {
    const release = await sourceOver(countingClient(releases.blobs).client).fetch(first.header.sha256);
    const indexes = buildIndexes(release, new Int32Array(101));
    for (const { kind, name } of published) {
      if (kind === 'objectType') expect(indexes.objectTypes.get(name)?.name).toBe(name);
      if (kind === 'edgeType') expect(indexes.edgeTypes.get(name)?.rule.edgeType).toBe(name);
      if (kind === 'tenant') expect(indexes.tenants.get(name)?.name).toBe(name);
    }
    expect(indexes.edgeTypes.get('edge1')?.rule).toMatchObject({ derivedFrom: 'edge0', forward: { inverse: 'edge1' } });
    expect(indexes.objectTypes.get('Type0')?.mirrored.map(({ edgeType }) => edgeType)).toEqual(['edge0']);
    expect([indexes.objectTypes.get('Type300'), indexes.tenants.get('constructor')]).toEqual([undefined, undefined]);
  });

  it('costs a gateway only what it lacks, whether the one before is live or was rejected', async () => {
    const { client, sent } = countingClient(releases.blobs);
    const source = sourceOver(client);
    await source.fetch(first.header.sha256);
    const all = sent.bytes;
    await source.fetch(second.header.sha256);
    const more = sent.bytes - all;
    const lacking = freshSections().reduce((sum, { content }) => sum + content.length, 0);
    expect(more).toBeLessThan(lacking + 2_000);
    expect(more * 10).toBeLessThan(all);
  });

  it('is rejected when one part is not what its hash says, and can be fetched once that is mended', async () => {
    const blobs = new Map(releases.blobs);
    const source = sourceOver(countingClient(blobs).client);
    await source.fetch(first.header.sha256);
    const damaged = freshSections().at(-1)?.sha256 ?? '';
    blobs.set(`sections/${damaged}`, Buffer.from('{"items":[]}'));
    await expect(source.fetch(second.header.sha256)).rejects.toThrow('Section objectType does not match its hash.');
    blobs.set(`sections/${damaged}`, releases.blobs.get(`sections/${damaged}`) ?? Buffer.alloc(0));
    expect((await source.fetch(second.header.sha256)).id.number).toBe(second.header.number);
  });

  it('is fetched section by section from a console that cannot send many at once', async () => {
    const { client } = countingClient(releases.blobs);
    const old: ConsoleClient = { ...client, post: async () => ({ kind: 'refused', status: 404, message: 'no route' }) };
    expect((await sourceOver(old).fetch(first.header.sha256)).id.number).toBe(first.header.number);
  });

  it('is served again from the disk, without a console', async () => {
    const dir = await tempFolder();
    const source = sourceOver(countingClient(releases.blobs).client, createLastGood(dir));
    await source.fetch(first.header.sha256);
    await source.keep(first.header.sha256);
    await source.fetch(second.header.sha256);
    await source.keep(second.header.sha256);
    const away: ConsoleClient = {
      get: async () => ({ kind: 'away', message: 'down' }),
      post: async () => ({ kind: 'away', message: 'down' }),
    };
    const again = await sourceOver(away, createLastGood(dir)).kept();
    if (again === null) throw new Error('nothing was kept');
    expect(again.sha256).toBe(second.header.sha256);
    const table = openTable(again.table);
    expect(table.text('objectType', table.find('objectType', 'Type7'))).toContain('Changed.');
    await expect(sourceOver(away).fetch(first.header.sha256)).rejects.toThrow('down');
  });
});
