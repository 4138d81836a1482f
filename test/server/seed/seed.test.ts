import { expect, it } from 'vitest';
import { compile } from '#server/compile/compile.ts';
import { loadSurroundings } from '#server/publication/load-definitions.ts';
import { type SeedInput, seed } from '#server/seed/seed.ts';
import { START_MS, testConsole, testSigner } from '#test/server/console.ts';

const console = await testConsole();
const { db, signer } = console;

const again = (changes: Partial<SeedInput> = {}) =>
  seed({
    db,
    signer,
    nowMs: START_MS + 86_400_000,
    gatewayToken: 'gateway-token-of-the-tests',
    hasDemoUsers: true,
    keepKey: () => {
      throw new Error('a second start made another key');
    },
    ...changes,
  });

it('seeds the example as release 1, and it compiles without a finding', async () => {
  expect(await db.release.findMany({ select: { number: true, cause: true } })).toEqual([
    { number: 1, cause: 'First start: the example' },
  ]);
  const surroundings = await loadSurroundings(db, START_MS);
  expect(surroundings.published).toHaveLength(10);
  expect(compile({ ...surroundings, edits: [] }).findings).toEqual([]);
  expect((await db.user.findMany({ orderBy: { createdAt: 'asc' } })).map(({ name }) => name)).toEqual([
    'Ana Ruiz',
    'Bo Lind',
    'Sam Lee',
    'Olga Ek',
    'Ada Moss',
  ]);
});

it('changes nothing when it runs again, also two times at once', async () => {
  const state = async () => [
    await db.release.count(),
    await db.principalKey.count(),
    await db.machineToken.count(),
    await db.user.count(),
    await db.auditEvent.count(),
  ];
  const before = await state();
  await Promise.all([again(), again()]);
  expect(await state()).toEqual(before);
});

it('takes a new gateway token and a new signing key, and keeps a revoked token revoked', async () => {
  await again({ gatewayToken: 'another-token', signer: await testSigner() });
  expect(await db.machineToken.count()).toBe(2);
  expect(await db.signingKey.count()).toBe(2);
  await db.machineToken.updateMany({ data: { revokedAt: new Date(START_MS) } });
  await again();
  expect(await db.machineToken.count({ where: { revokedAt: null } })).toBe(0);
});
