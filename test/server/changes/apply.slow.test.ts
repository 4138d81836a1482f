import { describe, expect, it } from 'vitest';
import { applyDefinitions } from '#server/changes/apply-definitions.ts';
import { checkDefinitions } from '#server/changes/check-definitions.ts';
import { ApplyDefinitions } from '#server/contract/as-code.ts';
import { exportDefinitions } from '#server/registry/export-definitions.ts';
import { readDefinition } from '#server/registry/read-definition.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { changeActs } from './acts.ts';

const console_ = await testConsole();
const { db } = console_;
const acts = changeActs(console_);

const SOURCE = 'https://git.example/chat/definitions';
const objectType = (description: string) => ({
  ownerTeam: 'chat',
  description,
  classification: 'internal',
  maxBytes: 1_000,
  audit: { reads: 'none', writes: 'none' },
});
const edit = (name: string, description = 'Stores it.') => ({
  kind: 'objectType' as const,
  name,
  document: objectType(description),
});
const exported = async () => await exportDefinitions(await console_.as('ana'), { limit: 2_000 });
const apply = async (who: string, wish: Partial<ApplyDefinitions>) =>
  applyDefinitions(
    await console_.as(who),
    ApplyDefinitions.parse({
      source: SOURCE,
      release: (await exported()).release,
      title: 'From the files',
      reason: '',
      link: null,
      edits: [],
      unchanged: [],
      ...wish,
    }),
  );
const publish = async (number: number) => {
  await acts.submit('ana', number);
  await acts.review('bo', number);
  await acts.publish('ana', number);
};
const numberOf = ({ change }: { change: { number: number } | null }) => {
  if (change === null) throw new Error('there is no change');
  return change.number;
};

describe('the same files again', () => {
  it('make no second change, and an approval of the same content stands', async () => {
    const first = await apply('ana', { edits: [edit('Note')] });
    expect(first).toMatchObject({ outcome: 'opened', change: { state: 'draft', edits: 1 } });
    const number = numberOf(first);
    await acts.submit('ana', number);
    await acts.review('bo', number);
    const again = await apply('ana', { edits: [edit('Note')], title: 'The same, said better' });
    expect(again).toMatchObject({ outcome: 'same', change: { number, state: 'approved' } });
    expect((await acts.read('ana', number)).row).toMatchObject({ title: 'The same, said better', state: 'approved' });
    await acts.publish('ana', number);
    expect(await apply('ana', { edits: [edit('Note')] })).toMatchObject({ outcome: 'nothing to do', change: null });
    const { items } = await exported();
    expect(items.find(({ name }) => name === 'Note')).toMatchObject({ managedBy: SOURCE, revision: 1 });
    const detail = await readDefinition(await console_.as('bo'), { kind: 'objectType', name: 'Note' });
    expect(detail.managedBy).toMatchObject({ source: SOURCE, appliedBy: 'Ana Ruiz' });
    const elsewhere = await acts.open('bo', 'Edit it here');
    await acts.save('bo', elsewhere, edit('Note', 'In the console.'));
    const other = await acts.read('bo', elsewhere);
    expect([other.source, other.managed]).toEqual([null, [{ kind: 'objectType', name: 'Note', by: detail.managedBy }]]);
    expect((await acts.read('ana', number)).source).toBe(SOURCE);
  });

  it('sent at one moment make one change', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => apply('ana', { edits: [edit('Moment')] })));
    expect(new Set(applied.map(numberOf)).size).toBe(1);
    expect(applied.map(({ outcome }) => outcome).toSorted()).toEqual(['opened', 'same', 'same', 'same']);
    await apply('ana', {});
  });
});

describe('other files', () => {
  it('replace the edits, and void what was approved', async () => {
    const number = numberOf(await apply('ana', { edits: [edit('Album'), edit('Photo')] }));
    await acts.submit('ana', number);
    await acts.review('bo', number);
    const updated = await apply('ana', { edits: [edit('Album', 'Stores photos.')] });
    expect(updated).toMatchObject({ outcome: 'updated', change: { number, state: 'in review', edits: 1 } });
    const change = await acts.read('ana', number);
    expect(change.edits.map(({ name, version }) => `${name} ${version}`)).toEqual(['Album 2']);
    expect(change.reviews.map(({ voided }) => voided)).toEqual([true]);
    const events = await db.auditEvent.findMany({ where: { did: 'applied', href: `/changes/${number}` } });
    expect(events).toHaveLength(2);
  });

  it('that say what is published abandon the open change', async () => {
    const number = numberOf(await apply('ana', { edits: [edit('Album', 'Stores photos.')] }));
    expect(await apply('ana', {})).toEqual({ outcome: 'nothing to do', change: null, abandoned: number });
    expect((await acts.read('ana', number)).row.state).toBe('abandoned');
  });

  it('stand on what is published after a neighbour outdated the change', async () => {
    const number = numberOf(await apply('ana', { edits: [edit('Note', 'From the files.')] }));
    const other = await acts.approved([edit('Note', 'From the console.')]);
    await acts.publish('ana', other);
    expect((await acts.read('ana', number)).row.state).toBe('outdated');
    const again = await apply('ana', { edits: [edit('Note', 'From the files.')], overwrite: true });
    expect(again).toMatchObject({ outcome: 'updated', change: { number, state: 'draft' } });
    const change = await acts.read('ana', number);
    expect(change.edits[0]).toMatchObject({ base: objectType('From the console.'), baseRevision: 2 });
    await publish(number);
  });
});

describe('a conflict', () => {
  it('with a release since the comparison is refused, and nothing is written', async () => {
    const before = await db.change.count();
    const error = await refusal(apply('ana', { edits: [edit('Late')], release: 1 }));
    expect(error.code).toBe('revision_conflict');
    expect(await db.change.count()).toBe(before);
  });

  it('with what somebody changed in the console since the last apply is named, until told to overwrite', async () => {
    await publish(numberOf(await apply('ana', { edits: [edit('Drift', 'One.')] })));
    await acts.publish('ana', await acts.approved([edit('Drift', 'Two, in the console.')]));
    const error = await refusal(apply('ana', { edits: [edit('Drift', 'Three.')] }));
    expect(error).toMatchObject({
      code: 'conflict',
      publicMessage: expect.stringContaining('Ana Ruiz changed Drift in the console'),
      fields: { 'objectType/Drift': expect.any(String) },
    });
    expect(await apply('ana', { edits: [edit('Drift', 'Three.')], overwrite: true })).toMatchObject({
      outcome: 'opened',
    });
    await apply('ana', { overwrite: true });
  });

  it('with another repository is named, until told to take over', async () => {
    const error = await refusal(apply('ana', { source: 'other', edits: [edit('Note', 'Elsewhere.')] }));
    expect(error).toMatchObject({ code: 'conflict', publicMessage: expect.stringContaining(`is kept in ${SOURCE}`) });
    const taken = await apply('ana', { source: 'other', edits: [edit('Note', 'Elsewhere.')], takeOver: true });
    expect(taken.outcome).toBe('opened');
    expect((await exported()).items.find(({ name }) => name === 'Note')?.managedBy).toBe('other');
    await apply('ana', { source: 'other', letGo: [{ kind: 'objectType', name: 'Note' }] });
    expect((await exported()).items.find(({ name }) => name === 'Note')?.managedBy).toBeNull();
  });
});

it('somebody who may not write changes may not apply, and may check', async () => {
  await db.user.create({ data: { id: 'vic', issuer: 'x', subject: 'vic', name: 'Vic', email: '', roles: ['viewer'] } });
  expect((await refusal(apply('vic', { edits: [edit('Mine')] }))).code).toBe('not_permitted');
  const { findings } = await checkDefinitions(await console_.as('vic'), {
    edits: [{ kind: 'edgeType', name: 'mine', document: { from: 'Nowhere' } }],
  });
  expect(findings.map(({ path }) => path)).toContain('description');
  expect(await db.change.count({ where: { edits: { some: { name: 'mine' } } } })).toBe(0);
});

it('a purpose of blanks alone is refused to files as it is on a page', async () => {
  const { findings } = await checkDefinitions(await console_.as('ana'), { edits: [edit('Blank', ' \t')] });
  expect(findings).toContainEqual(
    expect.objectContaining({ path: 'description', severity: 'error', message: 'Say in a sentence what it stores.' }),
  );
});

it('an export in small pages is the whole in order, in one state', async () => {
  const whole = await exported();
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await exportDefinitions(await console_.as('ana'), {
      limit: 2,
      ...(cursor === undefined ? {} : { cursor }),
    });
    paged.push(...page.items.map(({ kind, name }) => `${kind} ${name}`));
    expect(page.release).toBe(whole.release);
    cursor = page.next;
  } while (cursor !== undefined);
  expect(paged).toEqual(whole.items.map(({ kind, name }) => `${kind} ${name}`));
});
