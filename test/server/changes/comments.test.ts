import { describe, expect, it } from 'vitest';
import { addComment } from '#server/changes/comments/add-comment.ts';
import { mentionedIn } from '#server/changes/comments/mentions.ts';
import { resolveComments } from '#server/changes/comments/resolve-comments.ts';
import { copied, edited } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { changeActs } from './acts.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);

const draft = async () => {
  const number = await acts.open('ana', 'Add reactions');
  await acts.save('ana', number, copied('objectType', 'Message', 'Reaction'));
  return number;
};
const place = (number: number) => ({ number, kind: 'objectType', name: 'Reaction', path: 'maxBytes' }) as const;
const say = async (who: string, number: number, text: string) =>
  addComment(await console.as(who), { ...place(number), text });
const inboxOf = (userId: string, number: number) =>
  db.inboxItem.findMany({ where: { userId, closedAt: null, href: { startsWith: `/changes/${number}` } } });

describe('a remark', () => {
  it('stands at its field and in the inbox of the author, with an audit row', async () => {
    const number = await draft();
    await say('bo', number, 'Why so large?');
    const { comments } = await acts.read('ana', number);
    expect(comments).toMatchObject([
      { kind: 'objectType', name: 'Reaction', path: 'maxBytes', text: 'Why so large?', author: { name: 'Bo Lind' } },
    ]);
    const [item] = await inboxOf('ana', number);
    expect(item).toMatchObject({
      text: `∆${number} Add reactions · Bo Lind on Reaction.maxBytes: “Why so large?”`,
      href: `/changes/${number}?edit=objectType%2FReaction&tab=form`,
    });
    expect(await inboxOf('bo', number)).toEqual([]);
    expect(await db.auditEvent.findFirst({ where: { did: 'commented' } })).toMatchObject({ because: 'Why so large?' });
  });

  it('reaches whoever it names, and whoever wrote in its thread before', async () => {
    const number = await draft();
    await say('ana', number, '@Sam Lee, is that too much?');
    expect(await inboxOf('sam', number)).toHaveLength(1);
    await say('sam', number, 'No.');
    expect(await inboxOf('ana', number)).toHaveLength(1);
    await say('ana', number, 'Good.');
    const items = await inboxOf('sam', number);
    expect(items.map(({ text }) => text)).toEqual([expect.stringContaining('“Good.”')]);
  });

  it('voids no review', async () => {
    const number = await draft();
    await acts.submit('ana', number);
    await acts.review('bo', number);
    await say('sam', number, 'Fine with me.');
    expect((await acts.read('ana', number)).row.state).toBe('approved');
  });

  it('is for whoever writes changes, on an edit of an open change', async () => {
    const number = await draft();
    await db.user.create({
      data: { id: 'vic', issuer: 'test', subject: 'vic', name: 'Vic', email: 'v@example.com', roles: ['viewer'] },
    });
    expect((await refusal(say('vic', number, 'Hm.'))).code).toBe('not_permitted');
    const elsewhere = { ...place(number), name: 'Nothing', text: 'Hm.' };
    expect((await refusal(addComment(await console.as('bo'), elsewhere))).code).toBe('not_found');
    const { abandonChange } = await import('#server/changes/submit-change.ts');
    await abandonChange(await console.as('ana'), { number });
    expect((await refusal(say('bo', number, 'Too late.'))).code).toBe('wrong_state');
  });

  it('that is resolved leaves every inbox; a later one begins anew', async () => {
    const number = await draft();
    await say('bo', number, 'Why so large?');
    await resolveComments(await console.as('ana'), place(number));
    expect(await inboxOf('ana', number)).toEqual([]);
    expect((await acts.read('bo', number)).comments[0]?.resolvedBy).toEqual({ id: 'ana', name: 'Ana Ruiz' });
    expect((await refusal(resolveComments(await console.as('ana'), place(number)))).code).toBe('not_found');
    await say('bo', number, 'Still, why?');
    expect((await acts.read('bo', number)).comments.map(({ resolvedBy }) => resolvedBy === null)).toEqual([
      false,
      true,
    ]);
  });
});

describe('a name after @', () => {
  const people = [
    { id: 'bo', name: 'Bo Lind' },
    { id: 'bob', name: 'Bo Lindgren' },
    { id: 'sam', name: 'Sam Lee' },
  ];
  it.each([
    ['@Bo Lind please look', ['bo']],
    ['@bo lindgren, please look', ['bob']],
    ['ask @sam and @bo.', ['sam', 'bo']],
    ['write to bo@example.com', []],
    ['@bobby is nobody', []],
    ['@bo @bo', ['bo']],
  ])('%s', (text, ids) => {
    expect(mentionedIn(text, people).map(({ id }) => id)).toEqual(ids);
  });
});

describe('publish when approved', () => {
  const ask = async (who: string, number: number, publishWhenApproved = true) => {
    const { setPublishWhenApproved } = await import('#server/changes/publish-when-approved.ts');
    return setPublishWhenApproved(await console.as(who), { number, publishWhenApproved });
  };

  it('makes one release of the approving act', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Sticker'));
    await ask('ana', number);
    await acts.submit('ana', number);
    const before = await db.release.count();
    await acts.review('bo', number);
    const { row } = await acts.read('ana', number);
    expect([row.state, await db.release.count()]).toEqual(['rolling out', before + 1]);
    expect(await db.release.findUnique({ where: { number: row.release ?? 0 } })).toMatchObject({
      byName: 'Bo Lind',
      approvedByName: 'Bo Lind',
    });
    expect(await db.queuedPublish.count()).toBe(0);
  });

  it('publishes at once what is approved already, and once only', async () => {
    const number = await acts.approved([copied('objectType', 'Message', 'Emoji')]);
    await ask('ana', number);
    const release = (await acts.read('ana', number)).row.release;
    expect(release).not.toBeNull();
    expect((await acts.publish('ana', number)).release).toBe(release);
  });

  it('taken back waits for a person', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('objectType', 'User', { maxBytes: 20_000 }));
    await ask('ana', number);
    await ask('ana', number, false);
    await acts.submit('ana', number);
    await acts.review('bo', number);
    expect((await acts.read('ana', number)).row.state).toBe('approved');
  });

  it('is for whoever may edit the change', async () => {
    const number = await acts.open('ana');
    expect((await refusal(ask('sam', number))).code).toBe('not_permitted');
    await ask('bo', number);
    expect((await acts.read('ana', number)).publishWhenApproved).toBe(true);
  });
});

describe('the list of changes', () => {
  it('is narrowed to mine and to those of my teams', async () => {
    const { listChanges } = await import('#server/changes/list-changes.ts');
    const list = async (who: string, by: 'me' | 'teams' | 'all') => {
      const { items } = await listChanges(await console.as(who), { state: 'all', by, limit: 200 });
      return new Set(items.map(({ author }) => author.name));
    };
    await acts.open('olga', 'A change of an operator');
    expect(await list('ana', 'me')).toEqual(new Set(['Ana Ruiz']));
    expect(await list('bo', 'me')).toEqual(new Set());
    expect(await list('bo', 'teams')).toEqual(new Set(['Ana Ruiz']));
    expect(await list('bo', 'all')).toEqual(new Set(['Ana Ruiz', 'Olga Ek']));
  });
});
