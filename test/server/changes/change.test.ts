import { describe, expect, it } from 'vitest';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { checkDraft } from '#server/changes/check-draft.ts';
import { createChange } from '#server/changes/create-change.ts';
import { listChanges } from '#server/changes/list-changes.ts';
import { removeEdit } from '#server/changes/remove-edit.ts';
import { abandonChange, withdrawChange } from '#server/changes/submit-change.ts';
import { updateChange } from '#server/changes/update-change.ts';
import { ChangeDetail } from '#server/contract/changes.ts';
import { copied, edited, policy } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { changeActs } from './acts.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const reaction = copied('objectType', 'Message', 'Reaction');

describe('a draft', () => {
  it('is opened by an engineer and by nobody without a writing role', async () => {
    const number = await acts.open('ana');
    const detail = ChangeDetail.parse(await acts.read('bo', number));
    expect(detail.row).toMatchObject({ state: 'draft', waitsFor: 'Waits for Ana Ruiz to add an edit.' });
    expect(await db.auditEvent.count({ where: { did: 'opened', href: `/changes/${number}`, actor: 'Ana Ruiz' } })).toBe(
      1,
    );

    await db.user.create({
      data: { id: 'vera', issuer: 't', subject: 'vera', name: 'Vera', email: '', roles: ['viewer'] },
    });
    const refused = await refusal(createChange(await console.as('vera'), { title: 'Mine', reason: '', link: null }));
    expect(refused.code).toBe('not_permitted');
  });

  it('keeps title, reason and link that an update does not name', async () => {
    const number = await acts.open('ana');
    await updateChange(await console.as('ana'), { number, title: 'Another title' });
    const { row, reason } = await acts.read('ana', number);
    expect([row.title, reason]).toEqual(['Another title', 'For a test.']);
  });

  it('may be incomplete; findings say so and it cannot be sent to review', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, { kind: 'objectType', name: 'Half', document: { ownerTeam: 'chat' } });
    const detail = await acts.read('ana', number);
    expect(detail.findings.map(({ code }) => code)).toContain('field_missing');
    expect(detail.may.submit.may).toBe(false);
    expect(detail.row.waitsFor).toMatch(/^Waits for Ana Ruiz to settle what blocks it\. \d findings block it: Half: /);
    expect((await refusal(acts.submit('ana', number))).code).toBe('blocked_by_findings');
  });

  it('is checked without being saved', async () => {
    const number = await acts.open('ana');
    const { effects } = await checkDraft(await console.as('ana'), { number, edits: [reaction] as never });
    expect(effects.map(({ text }) => text)).toContain('Services of team chat may read, write and delete Reaction.');
    expect((await acts.read('ana', number)).edits).toEqual([]);
  });

  it('saved by two people at once refuses the second and says field by field what differs', async () => {
    const number = await acts.open('ana');
    const first = await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 1_000 }));
    await acts.save('bo', number, edited('objectType', 'Message', { maxBytes: 131_072 }), first.version);
    const refused = await refusal(
      acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 65_000 }), first.version),
    );
    expect(refused.code).toBe('conflict');
    expect(refused.fields).toEqual({ maxBytes: 'Bo Lind set 131072; you set 65000' });
    expect((await acts.read('ana', number)).edits[0]?.document?.maxBytes).toBe(131_072);
  });

  it('is edited by the author and their team only', async () => {
    const number = await acts.open('ana');
    expect((await refusal(acts.save('sam', number, reaction))).code).toBe('not_permitted');
    expect((await acts.save('bo', number, reaction)).version).toBe(1);
  });

  it('takes no removal of what is not published', async () => {
    const number = await acts.open('ana');
    const refused = await refusal(acts.save('ana', number, { kind: 'objectType', name: 'Ghost', document: null }));
    expect(refused.code).toBe('invalid_input');
  });

  it('loses an edit when it is taken out, and never two times', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, reaction);
    const path = { number, kind: 'objectType', name: 'Reaction' } as const;
    await removeEdit(await console.as('ana'), path);
    expect((await acts.read('ana', number)).edits).toEqual([]);
    expect((await refusal(removeEdit(await console.as('ana'), path))).code).toBe('not_found');
  });

  it('makes one row of the log for many saves in ten minutes, with the last draft in it', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 1_000 }));
    await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 2_000 }), 1);
    const rows = await db.auditEvent.findMany({ where: { did: 'edited', href: `/changes/${number}` } });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ count: 2, after: { 'objectType Message': { maxBytes: 2_000 } } });
  });

  it('is abandoned by its author, not by a colleague, and then stays as it is', async () => {
    const number = await acts.open('ana');
    expect((await refusal(abandonChange(await console.as('bo'), { number }))).code).toBe('not_permitted');
    await abandonChange(await console.as('ana'), { number });
    expect((await refusal(acts.save('ana', number, reaction))).code).toBe('wrong_state');
  });
});

describe('a review', () => {
  it('is given by an engineer of the owner team who wrote none of it', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, reaction);
    await acts.submit('ana', number);
    const waiting = await acts.read('ana', number);
    expect(waiting.row.waitsFor).toBe('Waits for team chat (Bo Lind).');
    expect(waiting.may.approve).toEqual({
      may: false,
      why: 'You wrote this change, so someone else approves it: team chat (Bo Lind).',
    });
    expect((await refusal(acts.review('ana', number))).code).toBe('not_permitted');
    expect((await refusal(acts.review('sam', number))).code).toBe('not_permitted');
    await acts.review('bo', number);
    expect((await acts.read('ana', number)).row.state).toBe('approved');
    expect(
      await db.auditEvent.count({ where: { did: 'approved', actor: 'Bo Lind', href: `/changes/${number}` } }),
    ).toBe(1);
  });

  it('is never given by somebody who wrote an edit and was then overwritten', async () => {
    const number = await acts.open('ana');
    await acts.save('bo', number, reaction);
    await acts.save('ana', number, { ...reaction, document: { ...(reaction.document as object), maxBytes: 9 } }, 1);
    await acts.submit('ana', number);
    expect((await refusal(acts.review('bo', number))).code).toBe('not_permitted');
    // Nobody of the team is left, so an admin may.
    await acts.review('ada', number);
    expect((await acts.read('ana', number)).row.state).toBe('approved');
  });

  it('of policies comes from security, of tenants from an operator, and all are needed', async () => {
    const number = await acts.open('ana');
    await acts.save(
      'ana',
      number,
      policy('reads', 'permit (principal is Service, action == Action::"object.read", resource);'),
    );
    await acts.save('ana', number, edited('tenant', 'chat', { displayName: 'Chat product' }));
    await acts.submit('ana', number);
    await acts.review('sam', number);
    const halfway = await acts.read('ana', number);
    expect(halfway.row.state).toBe('in review');
    expect(halfway.needs.map(({ from, given }) => [from, given])).toEqual([
      ['an operator', false],
      ['security', true],
    ]);
    await acts.review('olga', number);
    expect((await acts.read('ana', number)).row.state).toBe('approved');
  });

  it('is void after an edit, and the change is in review again', async () => {
    const number = await acts.approved([reaction]);
    await acts.save('ana', number, { ...reaction, document: { ...(reaction.document as object), maxBytes: 9 } }, 1);
    const detail = await acts.read('ana', number);
    expect(detail.row.state).toBe('in review');
    expect(detail.reviews[0]?.voided).toBe(true);
    expect(detail.needs[0]?.given).toBe(false);
  });

  it('of content that moved on is refused', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, reaction);
    await acts.submit('ana', number);
    const { reviewChange } = await import('#server/changes/review-change.ts');
    const stale = reviewChange(await console.as('bo'), {
      number,
      verdict: 'approved',
      comment: '',
      ticked: [],
      contentHash: 'old',
    });
    expect((await refusal(stale)).code).toBe('conflict');
  });

  it('that asks for work sends it back, and a new one is asked after it is sent again', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, reaction);
    await acts.submit('ana', number);
    await acts.review('bo', number, 'needs work', 'Say what a reaction is.');
    expect((await acts.read('ana', number)).row).toMatchObject({
      state: 'needs work',
      waitsFor: 'Waits for Ana Ruiz to change it: “Say what a reaction is.” (Bo Lind).',
    });
    await acts.submit('ana', number);
    expect((await acts.read('ana', number)).row.state).toBe('in review');
  });

  it('is taken back with the change', async () => {
    const number = await acts.approved([reaction]);
    await withdrawChange(await console.as('ana'), { number });
    const detail = await acts.read('ana', number);
    expect([detail.row.state, detail.reviews[0]?.voided]).toEqual(['draft', true]);
  });
});

describe('lists', () => {
  it('walk every change exactly once, both ways', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    let back: string | undefined;
    do {
      const page = await listChanges(await console.as('olga'), {
        state: 'all',
        by: 'all',
        limit: 3,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.items.map(({ number }) => number));
      back = page.previous ?? back;
      cursor = page.next;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(await db.change.count());
    expect(back).toBeDefined();
  });

  it('find by title, author and the name of an edit', async () => {
    const find = async (q: string) =>
      (await listChanges(await console.as('olga'), { state: 'open', by: 'all', q, limit: 200 })).items;
    expect((await find('reaction')).length).toBeGreaterThan(0);
    expect((await find('Ruiz')).length).toBeGreaterThan(0);
    expect(await find('no such words')).toEqual([]);
  });
});

it('the fixture is what the contract calls a definition', () => {
  expect(Definition.safeParse(reaction).success).toBe(true);
});
