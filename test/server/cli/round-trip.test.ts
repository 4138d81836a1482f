import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeActs } from '#test/server/changes/acts.ts';
import { testConsole } from '#test/server/console.ts';
import { servedConsole, workplace } from './habitat.ts';

/** Two consoles: one with the example and more, one with people and teams and no definition at all. */
const full = await testConsole();
const empty = await testConsole();
await empty.db.definition.deleteMany();
await empty.db.definitionRevision.deleteMany();
await empty.db.principalKey.deleteMany();
await empty.db.release.deleteMany();
const source = await servedConsole(full);
const target = await servedConsole(empty);

const here = workplace({
  HABITAT_URL: source.url,
  HABITAT_TOKEN: await source.token('ana', 'definitions:read'),
});
const there = {
  url: target.url,
  token: await target.token('ana', 'definitions:read', 'changes:write', 'changes:publish'),
};

const awkward = 'Says "yes": no, # not\u00e9 \u{1f600}\n  - or: [1, 2]\n\ttabs, trailing \n\n...\n---\n';

test('what is exported, imported into an empty installation and compared again shows no difference', async () => {
  const acts = changeActs(full);
  const number = await acts.approved([
    {
      kind: 'objectType',
      name: 'Awkward',
      document: {
        ownerTeam: 'chat',
        description: awkward,
        classification: 'public',
        maxBytes: 7,
        audit: { reads: 'sampled', writes: 'all' },
      },
    },
  ]);
  await acts.publish('ana', number);

  const exported = await here.habitat('export');
  expect(exported).toMatchObject({ exit: 0, err: '' });
  const files = filesIn(join(here.folder, 'definitions'));
  expect(files.map(({ name }) => name)).toContain('objectType/Awkward.yaml');
  expect((await here.habitat('diff')).exit).toBe(0);

  Object.assign(here.env, { HABITAT_URL: there.url, HABITAT_TOKEN: there.token });
  const before = await here.habitat('diff --json');
  expect(before.exit).toBe(1);
  expect(before.json).toMatchObject({ missingHere: [], different: [] });
  expect(before.json.missingThere).toHaveLength(files.length);

  const applied = await here.habitat(['apply', '--title', 'Import', '--submit', '--json']);
  expect(applied.json).toMatchObject({
    exit: 0,
    outcome: 'opened',
    change: { edits: files.length, state: 'in review' },
  });
  await approveAndPublish((applied.json.change as { number: number }).number);

  const after = await here.habitat('diff --json');
  expect(after.json).toMatchObject({ exit: 0, same: files.length, missingHere: [], missingThere: [], different: [] });
  const documents = async (console_: typeof full) =>
    console_.db.definition.findMany({
      where: { removed: false },
      select: { kind: true, name: true, document: true },
      orderBy: [{ kind: 'asc' }, { name: 'asc' }],
    });
  expect(await documents(empty)).toEqual(await documents(full));
});

test('a second export of the same release touches no file, and into another folder gives equal bytes', async () => {
  const first = filesIn(join(here.folder, 'definitions'));
  const again = await here.habitat('export --json');
  expect(again.json).toMatchObject({ exit: 0, written: [] });
  expect(filesIn(join(here.folder, 'definitions'))).toEqual(first);
  await here.habitat('export elsewhere');
  const other = filesIn(join(here.folder, 'elsewhere'));
  expect(other.map(({ name, text }) => [name, text])).toEqual(first.map(({ name, text }) => [name, text]));
});

test('the JSON form is the same definitions', async () => {
  await here.habitat('export json --format json');
  expect((await here.habitat('diff json')).exit).toBe(0);
  const { out } = await here.habitat('export --stdout --format json');
  expect(JSON.parse(out)).toHaveLength(filesIn(join(here.folder, 'json')).length);
  const yaml = await here.habitat('export --stdout');
  here.write('stream/all.yaml', yaml.out);
  expect((await here.habitat('diff stream')).exit).toBe(0);
});

/** Whoever is needed approves it in the second console, and it is published. */
async function approveAndPublish(number: number): Promise<void> {
  const acts = changeActs(empty);
  await empty.db.user.update({ where: { id: 'bo' }, data: { roles: ['engineer', 'security', 'operator'] } });
  await acts.review('bo', number);
  await acts.publish('ana', number);
}

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted()
    .map((name) => ({
      name,
      text: readFileSync(join(folder, name), 'utf8'),
      changedMs: statSync(join(folder, name)).mtimeMs,
    }));
}
