import { expect, it } from 'vitest';
import { buildIndexes } from '#gateway/release/build-indexes.ts';
import { createReleaseSource } from '#gateway/release/source.ts';
import { largeInstallation } from '#test/support/large-installation.ts';
import { countingClient, signReleases } from '#test/support/signed-release.ts';

const published = largeInstallation();
const releases = await signReleases();
const first = await releases.build({ published });
const { client, sent } = countingClient(releases.blobs);
const source = createReleaseSource({
  client,
  trust: releases.trust,
  lastGood: { read: () => null, write: () => {} },
  nowMs: () => performance.now(),
});
await source.fetch(first.header.sha256);
await source.keep(first.header.sha256);

function edit(name: string, fields: object) {
  const found = published.find((definition) => definition.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return { kind: found.kind, name, document: { ...found.document, ...fields } };
}

it.each([
  ['an object type', edit('Type77', { maxBytes: 5 })],
  ['the classification of an object type', edit('Type77', { classification: 'restricted' })],
  ['an edge type with an inverse', edit('edge0', { maxEdges: 5 })],
  ['a new object type', { ...edit('Type77', {}), name: 'Newcomer' }],
  ['a tenant', edit('tenant-7', { mode: 'shadow' })],
])('a release that changes %s among 30,000 types moves less than 50 KB', { timeout: 60_000 }, async (_, change) => {
  const { header } = await releases.build({ published, edits: [change] });
  Object.assign(sent, { bytes: 0, replies: 0 });
  const release = await source.fetch(header.sha256);
  expect(sent.bytes).toBeLessThan(50_000);
  expect(sent.replies).toBeLessThan(10);
  const indexes = buildIndexes(release, new Int32Array(1_001));
  const kind = change.kind === 'edgeType' ? 'edgeTypes' : change.kind === 'tenant' ? 'tenants' : 'objectTypes';
  expect(indexes[kind].get(change.name)).toMatchObject({ name: change.name });
  expect(indexes.edgeTypes.get('edge19999')?.rule.from).toBe('Type9999');
});
