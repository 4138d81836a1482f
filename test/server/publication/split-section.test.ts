import { expect, it } from 'vitest';
import { SectionParts } from '#gateway/contract/release.ts';
import { gather } from '#gateway/release/gather.ts';
import type { VerifiedHeader } from '#gateway/release/verify.ts';
import { splitSection } from '#server/publication/split-section.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';
import { signReleases } from '#test/support/signed-release.ts';

const items = Array.from({ length: 500 }, (_, at) => ({ name: `Type${at}`, description: 'ä'.repeat(20), size: at }));
const split = (some: readonly object[]) => splitSection('objectType', some, 1_000);
const hashes = ({ root, below }: ReturnType<typeof split>) => new Set([root, ...below].map(({ sha256 }) => sha256));

/** Reads a section as a gateway does: from its root down. */
async function itemsOf({ root, below }: ReturnType<typeof split>): Promise<unknown[]> {
  const contents = new Map([root, ...below].map(({ sha256, content }) => [sha256 as string, Buffer.from(content)]));
  const header = { sections: [{ kind: 'objectType', sha256: root.sha256, bytes: 0 }] };
  const { leaves } = await gather(
    header as unknown as VerifiedHeader,
    (sha256) => contents.get(sha256),
    async () => [],
  );
  return leaves.flatMap(({ bytes }) => JSON.parse(bytes.toString('utf8')).items);
}

it('a large section lies in parts that hold every item once, none larger than a part may be', async () => {
  const section = split(items);
  const sizes = section.below
    .filter(({ content }) => !SectionParts.safeParse(JSON.parse(new TextDecoder().decode(content))).success)
    .map(({ content }) => content.length);
  expect(Math.max(...sizes)).toBeLessThan(1_100);
  const read = await itemsOf(section);
  expect(read).toHaveLength(500);
  expect(new Set(read.map((item) => JSON.stringify(item)))).toEqual(
    new Set(items.map(({ name, description, size }) => JSON.stringify({ description, name, size }))),
  );
});

it.each([
  ['changed', items.map((item) => (item.name === 'Type7' ? { ...item, size: -1 } : item))],
  ['removed', items.filter(({ name }) => name !== 'Type7')],
  ['added', [...items, { name: 'Newcomer', description: 'new', size: 0 }]],
])('an item that is %s makes its part anew and the lists above it, nothing else', (_, after) => {
  const known = hashes(split(items));
  const fresh = [...hashes(split(after))].filter((hash) => !known.has(hash));
  expect(fresh.length).toBeGreaterThan(0);
  expect(fresh.length).toBeLessThanOrEqual(4);
});

it('where an item lies does not depend on the order in which items come', () => {
  const turned = split(items.toReversed().toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  expect(turned.root.sha256).toBe(split(items.toSorted((a, b) => (a.name < b.name ? -1 : 1))).root.sha256);
});

it('a release without parts has format 1, which every gateway reads; parts make it 2 and ask for a gateway that reads them', async () => {
  const releases = await signReleases();
  const small = await releases.build({ published: EXAMPLE_DEFINITIONS });
  expect([small.header.formatVersion, small.header.minGatewayVersion]).toEqual([1, '0.1.0']);
  const [type] = EXAMPLE_DEFINITIONS.filter(({ kind }) => kind === 'objectType');
  if (type === undefined) throw new Error('the example has no object type');
  const edits = Array.from({ length: 100 }, (_, at) => ({ ...type, name: `Type${at}` }));
  const large = await releases.build({ published: EXAMPLE_DEFINITIONS, edits });
  expect([large.header.formatVersion, large.header.minGatewayVersion]).toEqual([2, '0.2.0']);
  const old = await releases.build({ published: EXAMPLE_DEFINITIONS, edits, inParts: false });
  expect([old.header.formatVersion, old.header.minGatewayVersion]).toEqual([1, '0.1.0']);
  expect(old.sections).toHaveLength(old.header.sections.length);
});
