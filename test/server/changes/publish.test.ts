import { createHash } from 'node:crypto';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { hashedPartOf, ReleaseHeader, SECTION_SCHEMAS, type SectionKind } from '#gateway/contract/release.ts';
import { settled } from '#server/changes/checks/kept-verdict.ts';
import { settleChecks } from '#server/changes/checks/settle-checks.ts';
import { publishChange } from '#server/changes/publish-change.ts';
import { refreshChange } from '#server/changes/refresh-change.ts';
import { ReleaseDetail } from '#server/contract/releases.ts';
import { readDefinition } from '#server/registry/read-definition.ts';
import { listReleases } from '#server/releases/list-releases.ts';
import { readRelease } from '#server/releases/read-release.ts';
import { copied, edited, policy } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { changeActs } from './acts.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('publishing', () => {
  it('makes one signed release of one change, with its revision and its audit row', async () => {
    const number = await acts.approved([copied('objectType', 'Message', 'Reaction')]);
    const { release } = await acts.publish('ana', number);
    expect(release).toBe(2);

    const stored = await db.release.findUniqueOrThrow({ where: { number: release } });
    const header = ReleaseHeader.parse(stored.header);
    expect(sha256(hashedPartOf(header))).toBe(header.sha256);
    const key = await importJWK(console.signer.publicJwk, 'EdDSA');
    const { payload, protectedHeader } = await compactVerify(header.signature, key);
    expect([new TextDecoder().decode(payload), protectedHeader.kid]).toEqual([header.sha256, console.signer.kid]);
    for (const { kind, sha256: hash, bytes } of header.sections) {
      const section = await db.releaseSection.findUniqueOrThrow({ where: { sha256: hash } });
      expect([sha256(section.content), section.content.length]).toEqual([hash, bytes]);
      SECTION_SCHEMAS[kind as SectionKind].parse(JSON.parse(new TextDecoder().decode(section.content)));
    }
    expect(header.previous).toBe((await db.release.findUniqueOrThrow({ where: { number: 1 } })).sha256);

    const { history, row } = await readDefinition(await console.as('sam'), { kind: 'objectType', name: 'Reaction' });
    expect(row).toMatchObject({ revision: 1, release: 2, changedBy: { name: 'Ana Ruiz' } });
    expect(history[0]).toMatchObject({ change: number, approvedBy: { name: 'Bo Lind' }, selfApproved: false });
    const [event] = await db.auditEvent.findMany({ where: { did: 'published', release } });
    expect(event).toMatchObject({
      actor: 'Ana Ruiz',
      because: 'For a test.',
      before: { 'objectType Reaction': null },
      after: { 'objectType Reaction': { maxBytes: 65_536 } },
    });
  });

  it('keeps the verdict it was published with, whatever is published afterwards', async () => {
    const number = await acts.approved([edited('objectType', 'User', { maxBytes: 900 })]);
    await settleChecks(await console.as('ana'), number);
    const before = await acts.read('ana', number);
    await acts.publish('ana', number);
    const kept = ({ findings, effects }: typeof before) => ({ findings, effects });
    const first = await acts.read('ana', number);
    expect(first.findings.map(({ code }) => code)).toContain('max_bytes_narrowed');
    expect(kept(first)).toEqual(kept(before));
    expect(first.checks.map(({ state }) => state)).toEqual(before.checks.map(() => 'done'));

    const later = await acts.approved([edited('objectType', 'User', { maxBytes: 70_000, ownerTeam: 'chat' })]);
    await acts.publish('ana', later);
    expect(kept(await acts.read('ana', number))).toEqual(kept(before));
  });

  it('keeps of a slow check without a result that it had none, not that it still runs', () => {
    const check = { section: 'traffic', summary: '', progress: 1, parts: 3, atMs: null } as const;
    const verdict = { findings: [], effects: [], tests: [], checks: [{ ...check, state: 'running' as const }] };
    expect(settled(verdict).checks).toMatchObject([
      { state: 'failed', summary: 'It had no result when the change was published.' },
    ]);
  });

  it('twice answers the same release', async () => {
    const number = await acts.approved([copied('objectType', 'Message', 'Sticker')]);
    const first = await acts.publish('bo', number);
    expect(await acts.publish('ana', number)).toEqual(first);
    const ctx = await console.as('ana');
    expect(await publishChange(ctx, { number, contentHash: 'whatever' })).toMatchObject(first);
  });

  it('is for the author, an approver and admins', async () => {
    const number = await acts.approved([copied('objectType', 'Message', 'Emoji')]);
    expect((await refusal(acts.publish('sam', number))).code).toBe('not_permitted');
    await acts.publish('ada', number);
  });

  it('before approval is refused', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Early'));
    expect((await refusal(acts.publish('ana', number))).code).toBe('wrong_state');
  });

  it('of a change at the same moment by two people makes one release', async () => {
    const number = await acts.approved([copied('objectType', 'Message', 'Race')]);
    const before = await db.release.count();
    const both = await Promise.all([acts.publish('ana', number), acts.publish('bo', number)]);
    expect(both[0]).toEqual(both[1]);
    expect(await db.release.count()).toBe(before + 1);
  });

  it('of two changes at the same moment makes two releases in a row', async () => {
    const one = await acts.approved([copied('objectType', 'Message', 'LeftHand')]);
    const other = await acts.approved([copied('objectType', 'Message', 'RightHand')]);
    const [a, b] = await Promise.all([acts.publish('ana', one), acts.publish('ana', other)]);
    expect(Math.abs(a.release - b.release)).toBe(1);
    const newest = ReleaseHeader.parse((await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } })).header);
    const types = newest.sections.find(({ kind }) => kind === 'objectType');
    const { content } = await db.releaseSection.findUniqueOrThrow({ where: { sha256: types?.sha256 ?? '' } });
    expect(new TextDecoder().decode(content)).toMatch(/LeftHand.*RightHand/);
  });

  it('of a definition that was removed leaves its history and takes it from the lists', async () => {
    const number = await acts.approved([{ kind: 'objectType', name: 'Emoji', document: null }]);
    const { release } = await acts.publish('ana', number);
    const gone = await readDefinition(await console.as('ana'), { kind: 'objectType', name: 'Emoji' });
    expect(gone).toMatchObject({
      removed: { release, by: { name: 'Ana Ruiz' } },
      row: { state: 'removed' },
      users: [],
    });
    expect(gone.history.map(({ document }) => document === null)).toEqual([true, false]);
    const detail = ReleaseDetail.parse(await readRelease(await console.as('ana'), { number: release }));
    expect(detail.edits).toMatchObject([{ name: 'Emoji', act: 'remove', document: null }]);
  });
});

describe('a neighbour', () => {
  it('that publishes something else leaves an approval standing', async () => {
    const mine = await acts.approved([edited('objectType', 'User', { maxBytes: 32_768 })]);
    await acts.publish('ana', await acts.approved([copied('objectType', 'Message', 'Neighbour')]));
    expect((await acts.publish('ana', mine)).release).toBeGreaterThan(0);
  });

  it('that publishes the same definition makes mine outdated; fields of one side merge', async () => {
    const mine = await acts.approved([edited('objectType', 'Message', { maxBytes: 131_072 })]);
    const theirs = await acts.approved([edited('objectType', 'Message', { description: 'One message.' })]);
    await acts.publish('ana', theirs);
    const outdated = await acts.read('ana', mine);
    expect(outdated.row.state).toBe('outdated');
    expect(outdated.reviews[0]?.voided).toBe(true);
    expect((await refusal(acts.publish('ana', mine))).code).toBe('wrong_state');
    await refreshChange(await console.as('ana'), { number: mine, choices: {} });
    const merged = await acts.read('ana', mine);
    expect(merged.row.state).toBe('draft');
    expect(merged.edits[0]?.document).toMatchObject({ maxBytes: 131_072, description: 'One message.' });
  });

  it('that set the same field is named, and the choice decides', async () => {
    const mine = await acts.approved([edited('edgeType', 'members', { listCap: 100 })]);
    const theirs = await acts.approved([edited('edgeType', 'members', { listCap: 200, maxEdges: 5_000 })]);
    await acts.publish('ana', theirs);
    const refused = await refusal(refreshChange(await console.as('ana'), { number: mine, choices: {} }));
    expect(refused.code).toBe('conflict');
    expect(refused.fields).toEqual({
      'edgeType/members/listCap': 'Ana Ruiz published members.listCap as 200 while Ana Ruiz set 100.',
    });
    await refreshChange(await console.as('ana'), { number: mine, choices: { 'edgeType/members/listCap': 'mine' } });
    expect((await acts.read('ana', mine)).edits[0]?.document).toMatchObject({ listCap: 100, maxEdges: 5_000 });
  });

  it('that changes what mine does voids its approval', async () => {
    const mine = await acts.approved([copied('objectType', 'Message', 'Draft')]);
    const grant = policy('no-services', 'forbid (principal is Service, action == Action::"object.delete", resource);');
    await acts.publish('ana', await acts.approved([grant], ['sam']));
    const refused = await refusal(acts.publish('ana', mine));
    expect(refused.code).toBe('conflict');
    const detail = await acts.read('ana', mine);
    expect([detail.row.state, detail.reviews[0]?.voided]).toEqual(['in review', true]);
  });
});

describe('review modes', () => {
  it('self with reason: the author approves with a reason, and every record says so', async () => {
    await db.team.update({ where: { name: 'chat' }, data: { reviewMode: 'self with reason' } });
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Alone'));
    await acts.submit('ana', number);
    expect((await refusal(acts.review('ana', number))).fields).toHaveProperty('comment');
    await acts.review('ana', number, 'approved', 'I am the whole team.');
    const { release } = await acts.publish('ana', number);
    const detail = await readRelease(await console.as('ana'), { number: release });
    expect(detail.row.selfApproved).toBe(true);
    expect(detail.spine.find(({ what }) => what === 'Approved')?.note).toBe('I am the whole team. · self-approved');
    expect(await db.auditEvent.count({ where: { release, did: 'published', outcome: 'self-approved' } })).toBe(1);
  });

  it('that become stricter ask an approved change again, and laxer ones no longer ask', async () => {
    await db.team.update({ where: { name: 'chat' }, data: { reviewMode: 'off' } });
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Between'));
    await acts.submit('ana', number);
    await db.team.update({ where: { name: 'chat' }, data: { reviewMode: 'second person' } });
    expect((await acts.read('ana', number)).row.waitsFor).toBe('Waits for team chat (Bo Lind).');
    expect((await refusal(acts.publish('ana', number))).code).toBe('wrong_state');
    await db.team.update({ where: { name: 'chat' }, data: { reviewMode: 'off' } });
    expect((await acts.publish('ana', number)).release).toBeGreaterThan(0);
  });

  it('off: what is sent to review is approved at once', async () => {
    await db.team.update({ where: { name: 'chat' }, data: { reviewMode: 'off' } });
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Quick'));
    await acts.submit('ana', number);
    expect((await acts.read('ana', number)).row.state).toBe('approved');
    expect((await acts.publish('ana', number)).release).toBeGreaterThan(0);
  });
});

it('releases list newest first and walk every one exactly once', async () => {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listReleases(await console.as('olga'), {
      limit: 4,
      ...(cursor === undefined ? {} : { cursor }),
    });
    seen.push(...page.items.map(({ number }) => number));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(seen).toEqual(Array.from({ length: await db.release.count() }, (_, index) => seen.length - index));
});
