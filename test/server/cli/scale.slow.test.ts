import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testConsole } from '#test/server/console.ts';
import { servedConsole, workplace } from './habitat.ts';

const TYPES = 10_000;
const console_ = await testConsole();
const served = await servedConsole(console_);
const place = workplace({
  HABITAT_URL: served.url,
  HABITAT_TOKEN: await served.token('ana', 'definitions:read', 'changes:write'),
});

const document = (n: number) => ({
  ownerTeam: 'chat',
  description: `Stores the things of number ${n}.`,
  classification: 'internal',
  maxBytes: 1_000,
  audit: { reads: 'none', writes: 'none' },
});
await console_.db.definition.createMany({
  data: Array.from({ length: TYPES }, (_, n) => ({
    kind: 'objectType',
    name: `T${n}`,
    ownerTeam: 'chat',
    description: '',
    document: document(n),
    revision: 1,
    releaseNumber: 1,
    changedAt: new Date(0),
    changedById: 'ana',
    changedByName: 'Ana Ruiz',
    summary: '',
  })),
});

const ALL = await console_.db.definition.count();

it('ten thousand definitions are exported, compared and applied with a number of requests that does not grow with them', {
  timeout: 300_000,
}, async () => {
  const exported = await place.habitat('export --json');
  expect(exported.json).toMatchObject({ exit: 0 });
  expect(exported.json.written).toHaveLength(ALL);
  const requests = served.seen.length;
  expect((await place.habitat('diff --json')).json).toMatchObject({ exit: 0, same: ALL });
  expect(served.seen.length - requests).toBeLessThanOrEqual(6);

  mkdirSync(join(place.folder, 'definitions/new'), { recursive: true });
  for (let n = 0; n < 1_000; n += 1) {
    const file = join(place.folder, `definitions/new/N${n}.json`);
    writeFileSync(file, JSON.stringify({ kind: 'objectType', name: `N${n}`, document: document(n) }));
  }
  expect((await place.habitat('apply --json')).json).toMatchObject({
    exit: 0,
    outcome: 'opened',
    change: { edits: 1_000 },
  });
  expect((await place.habitat('apply --json')).json).toMatchObject({ exit: 0, outcome: 'same' });
  expect(await console_.db.managedDefinition.count()).toBe(ALL + 1_000);

  writeFileSync(
    join(place.folder, 'definitions/new/more.json'),
    JSON.stringify({ kind: 'objectType', name: 'More', document: document(1) }),
  );
  const beyond = await place.habitat('apply --json');
  expect(beyond.json).toMatchObject({ exit: 2, error: { message: expect.stringContaining('one change holds 1000') } });
});
