import { describe, expect, it } from 'vitest';
import { changesFor } from '#server/changes/changes-for.ts';
import { settleChecks } from '#server/changes/checks/settle-checks.ts';
import { RollbackPreview } from '#server/contract/rollouts.ts';
import { Shell } from '#server/contract/shell.ts';
import { shellWith } from '#server/home/shell.ts';
import { readOfRollback } from '#server/releases/read-of-rollback.ts';
import { readRelease } from '#server/releases/read-release.ts';
import { rollBackWith } from '#server/releases/roll-back.ts';
import { createKey } from '#server/tenants/create-key.ts';
import { revokeKey } from '#server/tenants/revoke-key.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { copied, edited, policy } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { releaseActs } from './release-acts.ts';

const console = await testConsole();
const { db } = console;
const changes = changeActs(console);
const releases = releaseActs(console);

/** Publishes edits as a change of Ana's and answers its numbers. */
async function published(edits: Parameters<typeof changes.approved>[0], reviewers?: readonly string[]) {
  const change = await changes.approved(edits, reviewers);
  return { change, release: (await changes.publish('ana', change)).release };
}

describe('undoing one release', () => {
  it('puts its definitions back, keeps what came after, and drafts the work again for its author', async () => {
    const before = await releases.documents();
    const fault = await published([
      copied('objectType', 'Message', 'Reaction'),
      edited('objectType', 'User', { maxBytes: 32_768 }),
    ]);
    const later = await published([copied('objectType', 'Message', 'Sticker')]);
    const preview = RollbackPreview.parse(await releases.preview('olga', 'undo', fault.release));
    expect(preview).toMatchObject({ possible: { may: true }, widens: [], newest: later.release, ends: null });
    expect(preview.edits.map(({ name, act }) => [name, act])).toEqual([
      ['Reaction', 'remove'],
      ['User', 'edit'],
    ]);
    expect(preview.undoes.map(({ change }) => change)).toEqual([fault.change]);

    const { release } = await releases.rollBack('olga', 'undo', fault.release);
    expect(release).toBe(later.release + 1);
    const after = await releases.documents();
    expect(after['objectType Reaction']).toBeUndefined();
    expect(after['objectType User']).toEqual(before['objectType User']);
    expect(after['objectType Sticker']).toBeDefined();

    const undone = await changes.read('ana', fault.change);
    expect([undone.row.state, undone.row.waitsFor]).toEqual([
      'undone',
      `Undone by r${release}; its edits are a draft again.`,
    ]);
    const draft = await db.change.findFirstOrThrow({ where: { againOf: fault.change } });
    expect([draft.title, draft.authorId, draft.state]).toEqual(['Again: A change of a test', 'ana', 'draft']);
    const again = await changes.read('ana', draft.number);
    expect(again.edits.map(({ name, act }) => [name, act])).toEqual([
      ['Reaction', 'add'],
      ['User', 'edit'],
    ]);
    expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('reads emergency, is audited with its reason, and leaves a follow-up', async () => {
    const fault = await published([copied('objectType', 'Message', 'Poll')]);
    const { release } = await releases.rollBack('olga', 'undo', fault.release);
    const stored = await db.release.findUniqueOrThrow({ where: { number: release ?? 0 } });
    expect(stored).toMatchObject({ emergency: true, byName: 'Olga Ek', reason: 'It breaks the app.' });
    expect(stored.cause).toBe(`Emergency: undid r${fault.release} (∆${fault.change} A change of a test)`);
    expect(await db.auditEvent.findFirst({ where: { did: 'rolled back', release } })).toMatchObject({
      actor: 'Olga Ek',
      because: 'It breaks the app.',
      outcome: 'emergency',
    });
    expect(await db.inboxItem.count({ where: { subject: `release:${release}`, closedAt: null } })).toBe(1);
    const page = await readRelease(await console.as('ana'), { number: fault.release });
    expect(page.row).toMatchObject({ undoneBy: release, state: expect.stringContaining(`Undone by r${release}`) });
    expect(page.spine.at(-1)).toMatchObject({ what: `Undone by r${release}`, href: `/releases/${release}` });
  });

  it('keeps what others set since at other places, and is refused where they set the same', async () => {
    const fault = await published([edited('objectType', 'Conversation', { maxBytes: 32_768 })]);
    const current = (await releases.documents())['objectType Conversation'] as Record<string, unknown>;
    await published([{ kind: 'objectType', name: 'Conversation', document: { ...current, description: 'A talk.' } }]);
    await releases.rollBack('olga', 'undo', fault.release);
    expect((await releases.documents())['objectType Conversation']).toMatchObject({
      maxBytes: 16_384,
      description: 'A talk.',
    });

    const one = await published([edited('edgeType', 'members', { listCap: 100 })]);
    await published([edited('edgeType', 'members', { listCap: 200 })]);
    const refused = await refusal(releases.rollBack('olga', 'undo', one.release));
    expect(refused).toMatchObject({
      code: 'blocked_by_findings',
      publicMessage: 'members.listCap was changed again since. Return everything to an earlier release instead.',
    });
  });

  it('that would newly allow something waits for a second person, and then does the same', async () => {
    const fault = await published(
      [policy('no-deletes', 'forbid (principal, action == Action::"object.delete", resource);')],
      ['sam'],
    );
    const preview = await releases.preview('olga', 'undo', fault.release);
    expect(preview.widens).not.toEqual([]);
    const asked = await releases.rollBack('olga', 'undo', fault.release);
    expect(asked.release).toBeNull();
    const number = asked.change ?? 0;
    const change = await changes.read('olga', number);
    expect(change).toMatchObject({ emergency: true, row: { state: 'in review', title: `Undo r${fault.release}` } });
    expect(change.needs).toMatchObject([{ from: 'security', mode: 'second person', who: [{ id: 'sam' }] }]);
    expect((await refusal(changes.review('olga', number))).code).toBe('not_permitted');
    expect((await releases.documents())['policy no-deletes']).toBeDefined();

    await changes.review('sam', number);
    const { release } = await changes.publish('olga', number);
    expect((await releases.documents())['policy no-deletes']).toBeUndefined();
    expect((await changes.read('ana', fault.change)).row.state).toBe('undone');
    expect(await db.release.findUniqueOrThrow({ where: { number: release } })).toMatchObject({
      emergency: true,
      approvedByName: 'Sam Lee',
      rollback: { mode: 'undo', release: fault.release },
    });
  });

  it('is for its makers and those on call', async () => {
    const fault = await published([copied('objectType', 'Message', 'Badge')]);
    await db.user.create({
      data: { id: 'eve', issuer: 't', subject: 'e', name: 'Eve', email: '', roles: ['engineer'] },
    });
    const refused = await refusal(releases.rollBack('eve', 'undo', fault.release));
    expect([refused.code, refused.publicMessage]).toEqual([
      'not_permitted',
      'Its author, its approver, operators, security and admins undo a release.',
    ]);
    expect((await refusal(releases.rollBack('ana', 'return', fault.release - 1))).code).toBe('not_permitted');
    expect((await releases.rollBack('bo', 'undo', fault.release)).release).toBeGreaterThan(fault.release);
    expect((await refusal(releases.rollBack('olga', 'undo', fault.release))).publicMessage).toContain('was undone by');
    expect((await refusal(releases.rollBack('olga', 'undo', 1))).code).toBe('wrong_state');
    expect((await refusal(releases.rollBack('olga', 'undo', 4_711))).code).toBe('not_found');
  });
});

describe('returning everything to a release', () => {
  it('brings back what was removed, removes what was added, and lists every release it undoes', async () => {
    const start = await releases.newest();
    const before = await releases.documents();
    const added = await published([copied('objectType', 'Message', 'Extra')]);
    const changed = await published([edited('objectType', 'User', { maxBytes: 65_536 })]);
    const preview = await releases.preview('olga', 'return', start);
    expect(preview.undoes.map(({ release }) => release)).toEqual([changed.release, added.release]);
    await releases.rollBack('olga', 'return', start);
    expect(await releases.documents()).toEqual(before);
    expect((await changes.read('ana', added.change)).row.state).toBe('undone');
    expect(await db.change.count({ where: { againOf: { in: [added.change, changed.change] } } })).toBe(2);
    expect((await refusal(releases.rollBack('olga', 'return', start))).publicMessage).toBe(
      `Every definition is as r${start} has it.`,
    );
  });

  it('leaves revoked keys revoked and new keys alive', async () => {
    const made = await createKey(await console.as('ana'), { name: 'chat-api', label: 'old', expiresInDays: null });
    const start = await releases.newest();
    await revokeKey(await console.as('sam'), { id: made.key.id, reason: 'It leaked.' });
    await published([copied('objectType', 'Message', 'Gone')]);
    await releases.rollBack('olga', 'return', start);
    const row = await db.principalKey.findUniqueOrThrow({ where: { id: made.key.id } });
    expect(row.revokedAt).not.toBeNull();
    const { sections } = await readRelease(await console.as('olga'), { number: await releases.newest() });
    const keys = await db.releaseSection.findUniqueOrThrow({
      where: { sha256: sections.find(({ kind }) => kind === 'key')?.sha256 ?? '' },
    });
    expect(new TextDecoder().decode(keys.content)).not.toContain(made.key.id);
  });

  it('to a release that was undone makes its change hold again', async () => {
    const one = await published([edited('objectType', 'User', { maxBytes: 24_576 })]);
    await releases.rollBack('olga', 'undo', one.release);
    const asked = await releases.rollBack('olga', 'return', one.release);
    await settleChecks(await console.as('bo'), asked.change ?? 0);
    await changes.review('bo', asked.change ?? 0);
    await changes.publish('olga', asked.change ?? 0);
    expect((await releases.documents())['objectType User']).toMatchObject({ maxBytes: 24_576 });
    expect((await changes.read('ana', one.change)).row.state).not.toBe('undone');
  });
});

it('of two people who roll back at once one wins, and the other is told what changed', async () => {
  const fault = await published([copied('objectType', 'Message', 'Twice')]);
  const newest = await releases.newest();
  const rollBack = rollBackWith(async () => undefined);
  const input = { mode: 'undo' as const, number: fault.release, reason: 'Both of us.', newest };
  const [one, other] = await Promise.allSettled([
    rollBack(await console.as('olga'), input),
    rollBack(await console.as('sam'), input),
  ]);
  const lost = [one, other].filter((result) => result.status === 'rejected');
  expect(lost).toHaveLength(1);
  expect(lost[0]?.reason).toMatchObject({ code: 'revision_conflict' });
  expect(lost[0]?.reason.publicMessage).toContain(`Since you looked there is r${newest + 1} by`);
  expect(await releases.newest()).toBe(newest + 1);
});

describe('the bar above every page', () => {
  const shell = async (who: string) => Shell.parse(await shellWith(changesFor)(await console.as(who))).rolledBack;
  const told = async (who: string) => (await shell(who)).map(({ release }) => release);
  /** What is published of a type, but for its description. */
  const described = async (name: string, description: string) => ({
    kind: 'objectType' as const,
    name,
    document: { ...((await releases.documents())[`objectType ${name}`] as object), description },
  });

  it('tells of a rollback past releases of others, until its definitions are changed again', async () => {
    const fault = await published([await described('User', 'Wrong.'), await described('Message', 'Wrong as well.')]);
    const { release } = await releases.rollBack('olga', 'undo', fault.release);
    await published([copied('objectType', 'User', 'Badge')]);
    expect((await shell('ana'))[0]).toMatchObject({
      release,
      of: { mode: 'undo', release: fault.release },
      by: { name: 'Olga Ek' },
      reason: 'It breaks the app.',
      holds: { count: 2, names: ['Message', 'User'] },
    });

    await published([await described('User', 'Changed again.')]);
    expect((await shell('ana'))[0]).toMatchObject({ release, holds: { count: 1, names: ['Message'] } });
    await published([await described('Message', 'And this.')]);
    expect(await told('ana')).not.toContain(release);
  });

  it('goes for whoever marked it as read, and for nobody else', async () => {
    const fault = await published([copied('objectType', 'User', 'Emblem')]);
    const { release } = await releases.rollBack('olga', 'undo', fault.release);
    const number = release ?? 0;
    expect(await told('ana')).toContain(number);
    await readOfRollback(await console.as('ana'), { number });
    await readOfRollback(await console.as('ana'), { number });
    expect(await told('ana')).not.toContain(number);
    expect(await told('olga')).toContain(number);
    expect((await refusal(readOfRollback(await console.as('ana'), { number: fault.release }))).code).toBe('not_found');
  });

  it('goes when the rollback is undone itself', async () => {
    const fault = await published([await described('User', 'Right after all.')]);
    const first = (await releases.rollBack('olga', 'undo', fault.release)).release ?? 0;
    const redone = (await releases.rollBack('olga', 'undo', first)).release ?? 0;
    expect(await told('bo')).not.toContain(first);
    expect(await told('bo')).toContain(redone);
  });
});
