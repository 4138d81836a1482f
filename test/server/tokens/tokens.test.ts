import { describe, expect, it } from 'vitest';
import type { Scope } from '#server/contract/scopes.ts';
import { TOKEN_PATTERN } from '#server/contract/tokens.ts';
import { createToken } from '#server/tokens/create-token.ts';
import { listTokens } from '#server/tokens/list-tokens.ts';
import { readTokenActor } from '#server/tokens/read-token-actor.ts';
import { revokeToken } from '#server/tokens/revoke-token.ts';
import { idOfToken, newToken } from '#server/tokens/token-text.ts';
import { refusal, testConsole } from '#test/server/console.ts';

const console_ = await testConsole();
const { db, env } = console_;
const DAY_MS = 86_400_000;

interface Wish {
  readonly name?: string;
  readonly team?: string | null;
  readonly scopes?: Scope[];
  readonly expiresInDays?: number;
}
const make = async (who: string, wish: Wish = {}) =>
  createToken(await console_.as(who), {
    name: 'laptop',
    team: null,
    scopes: ['definitions:read'],
    expiresInDays: 90,
    ...wish,
  });
const actorOf = async (text: string, laterMs = 0) =>
  readTokenActor({ db, adminGroup: env.adminGroup, text, nowMs: (await console_.as('ana')).nowMs + laterMs });

describe('the text of a token', () => {
  it('has a prefix and a checksum that scanners can find it by, and one changed letter spoils it', () => {
    const { text, id } = newToken();
    expect(text).toMatch(TOKEN_PATTERN);
    expect(idOfToken(text)).toBe(id);
    for (let at = 4; at < text.length; at += 1) {
      const other = text[at] === 'x' ? 'y' : 'x';
      expect(idOfToken(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
    }
    expect(idOfToken(`${text} `)).toBeNull();
  });
});

describe('a token of a person', () => {
  it('acts for them, is named, and is stored as a hash alone', async () => {
    const { token, secret } = await make('ana', { name: 'my laptop' });
    expect(await actorOf(secret)).toMatchObject({ id: 'ana', roles: ['engineer'], token: { name: 'my laptop' } });
    const stored = JSON.stringify(await db.apiToken.findUnique({ where: { id: token.id } }));
    expect(stored).not.toContain(secret.slice(-38));
    const rows = await db.auditEvent.findMany({ where: { what: { contains: token.id } } });
    expect(rows.map(({ did, actor }) => `${actor} ${did}`)).toEqual(['Ana Ruiz made']);
    expect(JSON.stringify(rows.map(({ what, after }) => [what, after]))).not.toContain(secret.slice(-38));
  });

  it('loses with its person: a role taken away bites at the next request, and so does the account', async () => {
    const { secret } = await make('ana');
    await db.user.update({ where: { id: 'ana' }, data: { roles: [] } });
    expect((await actorOf(secret))?.roles).toEqual([]);
    await db.user.update({ where: { id: 'ana' }, data: { roles: ['engineer'] } });
    await db.user.create({ data: { id: 'gone', issuer: 'x', subject: 'x', name: 'Gone', email: '' } });
    const { secret: orphan } = await make('gone');
    await db.user.delete({ where: { id: 'gone' } });
    expect((await refusal(actorOf(orphan))).publicMessage).toContain('Gone, who made this token');
  });

  it('ends at its time, and says so', async () => {
    const { secret } = await make('ana', { expiresInDays: 1 });
    expect(await actorOf(secret, DAY_MS - 60_000)).not.toBeNull();
    const error = await refusal(actorOf(secret, DAY_MS + 60_000));
    expect([error.code, error.publicMessage]).toEqual(['not_signed_in', expect.stringContaining('ended on 20')]);
  });

  it('shows its last use within a minute', async () => {
    const { token, secret } = await make('ana', { name: 'used' });
    await actorOf(secret);
    const { tokens } = await listTokens(await console_.as('ana'));
    expect(tokens.find(({ id }) => id === token.id)?.lastUsedMs).not.toBeNull();
  });

  it('is seen and revoked by its maker and an admin, never by a neighbour', async () => {
    const { token, secret } = await make('ana', { name: 'mine' });
    const seenBy = async (who: string) =>
      (await listTokens(await console_.as(who))).tokens.some(({ id }) => id === token.id);
    expect([await seenBy('ana'), await seenBy('bo')]).toEqual([true, false]);
    const act = { id: token.id, reason: 'It leaked.' };
    expect((await refusal(revokeToken(await console_.as('bo'), act))).code).toBe('not_found');
    await revokeToken(await console_.as('ana'), act);
    await revokeToken(await console_.as('ana'), act);
    expect((await refusal(actorOf(secret))).publicMessage).toBe('The token mine was revoked by Ana Ruiz.');
    const rows = await db.auditEvent.findMany({ where: { did: 'revoked', what: { contains: token.id } } });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ because: 'It leaked.', what: expect.stringContaining('the token mine') });
  });

  it('with the id of another and a secret of its own is nobody', async () => {
    const { secret } = await make('ana');
    const other = newToken();
    await db.apiToken.updateMany({ where: { id: secret.slice(4, 16) }, data: { secretSha256: other.secretSha256 } });
    expect(await actorOf(secret)).toBeNull();
    expect(await actorOf(other.text)).toBeNull();
  });
});

describe("a token of a team's CI", () => {
  it('is made by an admin alone, for a team that exists', async () => {
    expect((await refusal(make('ana', { team: 'chat' }))).code).toBe('not_permitted');
    await db.user.update({ where: { id: 'bo' }, data: { roles: ['admin'] } });
    expect((await refusal(make('bo', { team: 'nobody' }))).code).toBe('not_found');
    const { secret } = await make('bo', { team: 'chat', name: 'pipeline' });
    expect(await actorOf(secret)).toMatchObject({
      id: 'ci:chat',
      name: 'CI of chat',
      roles: ['engineer'],
      teams: ['chat'],
    });
    expect((await listTokens(await console_.as('ana'))).tokens.map(({ name }) => name)).toContain('pipeline');
  });

  it('works no more once its maker is no admin', async () => {
    const { secret } = await make('bo', { team: 'chat' });
    await db.user.update({ where: { id: 'bo' }, data: { roles: ['engineer'] } });
    expect((await refusal(actorOf(secret))).publicMessage).toContain('is no admin any more');
  });
});

it('nobody hoards more than fifty live tokens', async () => {
  await db.user.create({ data: { id: 'eve', issuer: 'x', subject: 'eve', name: 'Eve', email: '' } });
  for (let made = 0; made < 50; made += 1) await make('eve');
  expect((await refusal(make('eve'))).code).toBe('wrong_state');
});
