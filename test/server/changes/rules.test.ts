import { describe, expect, it } from 'vitest';
import { readRules, setRule } from '#server/auth/rules.ts';
import { type RuleSetting, Rules } from '#server/contract/rules.ts';
import { copied, edited, policy } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { changeActs } from './acts.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const set = async (who: string, code: string, setting: RuleSetting | null, team = 'chat') =>
  setRule(await console.as(who), { team, code, setting, reason: 'So we agreed.' });
const narrowed = async () => {
  const number = await acts.open('ana');
  await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 1_024 }));
  return number;
};
const severity = async (number: number, code = 'max_bytes_narrowed') =>
  (await acts.read('ana', number)).findings.find((finding) => finding.code === code)?.severity;

describe('a rule', () => {
  it('is off, warns or blocks as the owner team says, with an audit row', async () => {
    const number = await narrowed();
    expect(await severity(number)).toBe('warning');
    await set('bo', 'max_bytes_narrowed', 'block');
    expect(await severity(number)).toBe('error');
    expect((await refusal(acts.submit('ana', number))).code).toBe('blocked_by_findings');
    await set('bo', 'max_bytes_narrowed', 'off');
    expect(await severity(number)).toBeUndefined();
    await set('bo', 'max_bytes_narrowed', null);
    expect(await severity(number)).toBe('warning');
    const rows = await db.auditEvent.findMany({ where: { did: 'set the rule' }, orderBy: { id: 'asc' } });
    expect(rows.map(({ before, after }) => [before, after])).toEqual([
      [{ setting: null }, { setting: 'block' }],
      [{ setting: 'block' }, { setting: 'off' }],
      [{ setting: 'off' }, { setting: null }],
    ]);
    expect(rows[0]).toMatchObject({ actor: 'Bo Lind', because: 'So we agreed.' });
  });

  it('of one team says nothing of another', async () => {
    await set('ada', 'max_bytes_narrowed', 'off', 'platform');
    expect(await severity(await narrowed())).toBe('warning');
  });

  it('holds as the owner of now has set it: a change that moves the type does not lighten its own check', async () => {
    await set('ada', 'max_bytes_narrowed', 'off', 'platform');
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 1_024, ownerTeam: 'platform' }));
    expect(await severity(number)).toBe('warning');
  });

  it('that holds always cannot be set, nor one that does not exist', async () => {
    expect((await refusal(set('ada', 'end_unknown', 'off'))).code).toBe('invalid_input');
    expect((await refusal(set('ada', 'no_such_rule', 'off'))).code).toBe('not_found');
    expect((await refusal(set('ada', 'max_bytes_narrowed', 'off', 'ghosts'))).code).toBe('not_found');
  });

  it.each([
    ['max_bytes_narrowed', 'sam'],
    ['policy_always_allows', 'bo'],
    ['quota_zero', 'bo'],
    ['quota_zero', 'sam'],
  ])('%s is not for %s to set', async (code, who) => {
    expect((await refusal(set(who, code, 'off'))).code).toBe('not_permitted');
  });

  it.each([
    ['policy_always_allows', 'sam'],
    ['quota_zero', 'olga'],
    ['max_bytes_narrowed', 'ada'],
  ])('%s is for %s to set', async (code, who) => {
    await set(who, code, 'warn');
    await set(who, code, null);
  });

  it('is listed with what is usual and who may set it', async () => {
    const rules = Rules.parse(await readRules(await console.as('bo')));
    expect(rules.rules.find(({ code }) => code === 'removed')).toMatchObject({
      section: 'compatibility',
      usual: 'warn',
      setBy: 'team',
    });
    expect(rules.rules.map(({ code }) => code)).not.toContain('cedar_syntax');
    expect(rules.teams.map(({ name, may }) => [name, may])).toEqual([
      ['chat', ['team']],
      ['platform', []],
    ]);
  });
});

describe('review modes', () => {
  const setMode = async (kind: 'types' | 'access' | 'quotas', reviewMode: 'off' | 'second person') => {
    const { setReviewMode } = await import('#server/auth/edit-settings.ts');
    return setReviewMode(await console.as('ada'), { team: 'chat', kind, reviewMode, reason: 'For a test.' });
  };

  it('of types leave policies of the same team to security', async () => {
    await setMode('types', 'off');
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Reaction'));
    await acts.save(
      'ana',
      number,
      policy('reads', 'permit (principal == Service::"chat-api", action, resource == ObjectType::"Message");'),
    );
    await acts.submit('ana', number);
    const { row, needs } = await acts.read('ana', number);
    expect(row.state).toBe('in review');
    expect(needs.map(({ from, mode }) => [from, mode])).toEqual([
      ['security', 'second person'],
      ['team chat', 'off'],
    ]);
    await setMode('types', 'second person');
  });

  it('of policies do not open quotas', async () => {
    await setMode('access', 'off');
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('tenant', 'chat', { targetP99Ms: 40 }));
    await acts.submit('ana', number);
    expect((await acts.read('ana', number)).needs).toMatchObject([{ from: 'an operator', mode: 'second person' }]);
    await setMode('access', 'second person');
  });
});
