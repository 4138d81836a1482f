import { expect, it } from 'vitest';
import { ReleaseDiff, ReleaseQuery } from '#server/contract/releases.ts';
import { compareReleases } from '#server/releases/compare-releases.ts';
import { listReleases } from '#server/releases/list-releases.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { copied, edited } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const acts = changeActs(console);
const published = async (...edits: Parameters<typeof acts.approved>[0]) =>
  (await acts.publish('ana', await acts.approved(edits))).release;
const compare = async (from: number, to: number) =>
  ReleaseDiff.parse(await compareReleases(await console.as('olga'), { number: to, with: from }));
const acted = ({ edits }: ReleaseDiff) => edits.map(({ name, act }) => `${act} ${name}`);

const added = await published(copied('objectType', 'Message', 'Reaction'));
const changed = await published(edited('objectType', 'User', { maxBytes: 32_768 }));
const removed = await published({ kind: 'objectType', name: 'Reaction', document: null });

it('tells what differs between any two releases, whichever is the older', async () => {
  expect(acted(await compare(1, added))).toEqual(['add Reaction']);
  expect(acted(await compare(1, changed))).toEqual(['add Reaction', 'edit User']);
  expect(acted(await compare(changed, 1))).toEqual(['remove Reaction', 'edit User']);
  expect(acted(await compare(added, removed))).toEqual(['remove Reaction', 'edit User']);
});

it('leaves out what came and went between them', async () => {
  expect(acted(await compare(1, removed))).toEqual(['edit User']);
  const back = await compare(removed, 1);
  expect(back.edits).toMatchObject([{ name: 'User', document: { maxBytes: 16_384 }, base: { maxBytes: 32_768 } }]);
  expect(await compare(added, added)).toMatchObject({ edits: [], effects: [] });
});

it('tells the effect in the same direction', async () => {
  const texts = async (from: number, to: number) => (await compare(from, to)).effects.map(({ text }) => text);
  expect(await texts(1, added)).toContain('Services of team chat may read, write and delete Reaction.');
  expect((await texts(added, 1))[0]).toContain('Removes object type Reaction');
});

it('of a release that does not exist is refused', async () => {
  const refused = await refusal(compare(1, 4_711));
  expect([refused.code, refused.publicMessage]).toEqual(['not_found', 'There is no release r4711.']);
});

it('finds releases by number, by why they exist and by who published them, each word of the question', async () => {
  const found = async (q: string) =>
    (await listReleases(await console.as('olga'), ReleaseQuery.parse({ q }))).items.map(({ number }) => number);
  expect(await found(`r${added}`)).toEqual([added]);
  expect(await found(String(changed))).toContain(changed);
  expect(await found('change of A TEST')).toEqual([removed, changed, added]);
  expect(await found(`test r${changed}`)).toEqual([changed]);
  expect(await found('test nobody')).toEqual([]);
  const { items } = await listReleases(await console.as('olga'), ReleaseQuery.parse({}));
  const by = items.find(({ number }) => number === added)?.by.name ?? '';
  expect(await found(`${by} test`)).toEqual([removed, changed, added]);
  expect((await listReleases(await console.as('olga'), ReleaseQuery.parse({ q: 'test', limit: 1 }))).total).toBe(3);
});
