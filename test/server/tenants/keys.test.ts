import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { KeySection, ReleaseHeader } from '#gateway/contract/release.ts';
import { CreatedKey, PrincipalKeys } from '#server/contract/definitions.ts';
import { createKey } from '#server/tenants/create-key.ts';
import { listKeys } from '#server/tenants/list-keys.ts';
import { revokeKey } from '#server/tenants/revoke-key.ts';
import { refusal, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const { db } = console;
const name = 'chat-api';

/** Ids and hashes of the keys that the newest release carries. */
async function publishedKeys() {
  const release = await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } });
  const section = ReleaseHeader.parse(release.header).sections.find(({ kind }) => kind === 'key');
  const { content } = await db.releaseSection.findUniqueOrThrow({ where: { sha256: section?.sha256 ?? '' } });
  const { items } = KeySection.parse(JSON.parse(new TextDecoder().decode(content)));
  return { release: release.number, keys: new Map(items.map(({ id, secretSha256 }) => [id, secretSha256])) };
}

it('a new key is shown once, stored as a hash only, and published at once', async () => {
  const made = CreatedKey.parse(await createKey(await console.as('ana'), { name, label: 'CI', expiresInDays: 30 }));
  expect(made.secret).toMatch(/^hk_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
  const secret = made.secret.slice(16);
  const hash = createHash('sha256').update(secret).digest('hex');
  const published = await publishedKeys();
  expect(published.release).toBe(made.release);
  expect(published.keys.get(made.key.id)).toBe(hash);
  const rows = JSON.stringify([
    await db.principalKey.findMany(),
    await db.auditEvent.findMany({ select: { what: true, after: true } }),
  ]);
  expect(rows).not.toContain(secret);
  expect(await db.auditEvent.count({ where: { did: 'made', actor: 'Ana Ruiz', release: made.release } })).toBe(1);
});

it('keys are made by engineers of the owner team and named to who may know of them', async () => {
  for (const person of ['sam', 'olga', 'ada']) {
    const refused = await refusal(createKey(await console.as(person), { name, label: 'x', expiresInDays: null }));
    expect([refused.code, refused.publicMessage]).toEqual([
      'not_permitted',
      'Engineers of team chat make keys of chat-api.',
    ]);
    expect(PrincipalKeys.parse(await listKeys(await console.as(person), { name }))).toMatchObject({
      mayCreate: false,
      mayRevoke: true,
    });
  }
  await db.user.create({ data: { id: 'eve', issuer: 't', subject: 'e', name: 'Eve', email: '', roles: ['engineer'] } });
  expect((await refusal(listKeys(await console.as('eve'), { name }))).code).toBe('not_permitted');
  expect(
    (await refusal(createKey(await console.as('ana'), { name: 'ghost', label: 'x', expiresInDays: null }))).code,
  ).toBe('not_found');
});

it('a revoked key is out of the next release, without review, with a follow-up and an emergency in the log', async () => {
  const { key } = await createKey(await console.as('ana'), { name, label: 'Leaky', expiresInDays: null });
  expect((await publishedKeys()).keys.has(key.id)).toBe(true);
  expect((await refusal(revokeKey(await console.as('eve'), { id: key.id, reason: 'because' }))).code).toBe(
    'not_permitted',
  );
  const { release } = await revokeKey(await console.as('sam'), { id: key.id, reason: 'It leaked.' });
  const published = await publishedKeys();
  expect([published.release, published.keys.has(key.id)]).toEqual([release, false]);
  expect(await db.release.findUniqueOrThrow({ where: { number: release } })).toMatchObject({
    emergency: true,
    reason: 'It leaked.',
  });
  expect(await db.inboxItem.findMany({ where: { subject: `key:${key.id}` } })).toMatchObject([
    { kind: 'follow-up', role: 'security', closable: true },
  ]);
  expect(await db.auditEvent.findFirst({ where: { did: 'revoked', release } })).toMatchObject({
    actor: 'Sam Lee',
    because: 'It leaked.',
    outcome: 'emergency',
  });

  const again = await revokeKey(await console.as('ana'), { id: key.id, reason: 'Once more.' });
  expect(again.release).toBe(release);
  expect(await db.inboxItem.count({ where: { subject: `key:${key.id}` } })).toBe(1);
  expect((await refusal(revokeKey(await console.as('ana'), { id: 'AAAAAAAAAAAA', reason: 'None.' }))).code).toBe(
    'not_found',
  );
});

it("the demo key's hash is in release 1", async () => {
  const id = console.demoKey.slice(3, 15);
  const hash = createHash('sha256').update(console.demoKey.slice(16)).digest('hex');
  expect((await publishedKeys()).keys.get(id)).toBe(hash);
});
