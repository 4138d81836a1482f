import { expect, it } from 'vitest';
import type { Database } from '#server/db/client.ts';
import { loadPublished } from '#server/publication/load-published.ts';
import { lowerQuota } from '#server/tenants/lower-quota.ts';
import { testConsole } from '#test/server/console.ts';

const home = await testConsole();
const { db } = home;

/** What the database holds now, read anew. */
async function stored(from: Database) {
  const rows = await from.definition.findMany({
    where: { removed: false },
    select: { kind: true, name: true, document: true },
    orderBy: [{ kind: 'asc' }, { name: 'asc' }],
  });
  return rows;
}

it('after a release what did not change is the object it was, and all is as the database has it', async () => {
  const before = await loadPublished(db);
  expect(await loadPublished(db)).toBe(before);
  const quotas = { readsPerSecond: 1, writesPerSecond: 1, ruPerSecond: 1, inFlight: 1 };
  await lowerQuota(await home.as('olga'), { tenant: 'chat', quotas, reason: 'For the test.' });
  const after = await loadPublished(db);
  expect(after).toEqual(await stored(db));
  const changed = after.filter((definition) => !before.includes(definition));
  expect(changed.map(({ name }) => name)).toEqual(['chat']);
});

it('a definition that a release removes is gone, one that it adds is there', async () => {
  await loadPublished(db);
  const release = await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } });
  const number = release.number + 1;
  const { rollback: _, ...columns } = release;
  await db.release.create({ data: { ...columns, number, sha256: 'f'.repeat(64), header: {} } });
  const user = await db.definition.findUniqueOrThrow({ where: { kind_name: { kind: 'objectType', name: 'User' } } });
  await db.definition.create({
    data: { ...user, name: 'Added', releaseNumber: number, document: { ...Object(user.document) } },
  });
  const key = { kind_name: { kind: 'objectType', name: 'User' } };
  await db.definition.update({ where: key, data: { removed: true, releaseNumber: number } });
  const after = await loadPublished(db);
  expect(after).toEqual(await stored(db));
  expect(after.some(({ name }) => name === 'User')).toBe(false);
});

it('another database, as after a restore, is read whole', async () => {
  await loadPublished(db);
  const { rollback: _, ...columns } = await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } });
  const restoredRelease = { number: columns.number + 1, epoch: 2, sha256: 'e'.repeat(64), header: {} };
  await db.release.create({ data: { ...columns, ...restoredRelease } });
  await db.$executeRaw`UPDATE definition SET document = jsonb_set(document, '{description}', '"Restored."')
    WHERE kind = 'objectType' AND name = 'Message'`;
  const restored = await loadPublished(db);
  expect(restored).toEqual(await stored(db));
  expect(restored.some(({ document }) => 'description' in document && document.description === 'Restored.')).toBe(true);
});
