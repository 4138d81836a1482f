import { describe, expect, it } from 'vitest';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { check } from '#server/compile/compile.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';
import { codes, compileEdits, copied, edited, findingOf, policy, TEAMS } from './fixture.ts';

const since = '2026-12-01';

describe('a lifecycle', () => {
  it('that begins to warn is noted with the header that replies carry', () => {
    const result = compileEdits([edited('objectType', 'Message', { lifecycle: { state: 'deprecated-warn', since } })]);
    expect(findingOf(result, 'deprecated')).toMatchObject({
      severity: 'info',
      path: 'lifecycle.state',
      example: 'Habitat-Deprecated: Message; since=2026-12-01',
    });
    expect(result.sections?.objectType.items.find(({ name }) => name === 'Message')?.lifecycle).toEqual({
      state: 'deprecated-warn',
      since,
    });
    expect(result.effects.map(({ text }) => text)).toContain(
      'Lifecycle of Message: active → deprecated-warn since 2026-12-01.',
    );
  });

  it('that refuses requests warns, more so when nobody was told before', () => {
    const refused = edited('edgeType', 'members', { lifecycle: { state: 'deprecated-error', since } });
    expect(findingOf(compileEdits([refused]), 'requests_refused').message).toContain('Nobody was told before');
    const warned = compileEdits([edited('edgeType', 'members', { lifecycle: { state: 'deprecated-warn', since } })]);
    const later = findingOf(compileEdits([refused], warned.definitions), 'requests_refused');
    expect([later.severity, later.message.includes('Nobody was told')]).toEqual(['warning', false]);
  });

  it.each([
    [{ state: 'deprecated-warn', since, sunset: '2026-11-30' }, 'lifecycle.sunset'],
    [{ state: 'deprecated-warn', since: 'tomorrow' }, 'lifecycle.since'],
    [{ state: 'gone', since }, 'lifecycle.state'],
  ])('%j blocks', (lifecycle, path) => {
    expect(findingOf(compileEdits([edited('objectType', 'Message', { lifecycle })]), 'field_invalid').path).toBe(path);
  });
});

describe('a removed name', () => {
  const last = EXAMPLE_DEFINITIONS.filter(({ name }) => name === 'members');
  const published = EXAMPLE_DEFINITIONS.filter(({ name }) => name !== 'members');
  const restore = (fields: Record<string, unknown>, removed: readonly Definition[] = last) =>
    check({ published, edits: [edited('edgeType', 'members', fields)], teams: TEAMS, removed }).findings;

  it('comes back with what is stored under it', () => {
    expect(restore({}).map(({ code, severity }) => [code, severity])).toEqual([['restored', 'info']]);
  });

  it('cannot come back as something that the stored data does not fit', () => {
    expect(restore({ cardinality: 'one' }).map(({ code }) => code)).toEqual(['cardinality_narrowed', 'restored']);
    expect(restore({ to: 'Message', inverse: undefined }).map(({ code }) => code)).toContain('edge_ends_changed');
  });
});

it('a definition that changes hands says so, and who approves', () => {
  const result = compileEdits([edited('objectType', 'Message', { ownerTeam: 'search' })]);
  expect(findingOf(result, 'owner_changed')).toMatchObject({ severity: 'info', path: 'ownerTeam' });
});

describe('tests of a policy', () => {
  const tested = (tests: unknown[]) => {
    const { kind, name, document } = policy('reads', 'forbid (principal is Agent, action, resource);');
    return { kind, name, document: { ...Object(document), tests } };
  };
  const test = (more: Record<string, unknown> = {}) => ({
    principal: 'chat-api',
    action: 'object.read',
    resource: 'Message',
    expect: 'allow',
    ...more,
  });

  it('that come out as expected say nothing', () => {
    expect(codes(compileEdits([tested([test(), test({ action: 'edge.read', resource: 'members' })])]))).not.toContain(
      'policy_test_failed',
    );
  });

  it.each([
    [{ expect: 'deny' }, 'It is allowed, by team-owns-type.'],
    [{ principal: 'nobody' }, 'There is no principal nobody.'],
    [{ resource: 'Nothing' }, 'There is no object type Nothing.'],
  ])('%j blocks and says what came out', (more, message) => {
    const result = compileEdits([tested([test(), test(more)])]);
    expect(findingOf(result, 'policy_test_failed')).toMatchObject({ severity: 'error', path: 'tests.1' });
    expect(findingOf(result, 'policy_test_failed').message).toContain(message);
    expect(result.sections).toBeNull();
  });

  it('say how each came out and which policy decided', () => {
    const draft = tested([test(), test({ expect: 'deny' }), test({ principal: 'nobody' })]);
    expect(check({ published: EXAMPLE_DEFINITIONS, edits: [draft], teams: TEAMS }).tests).toMatchObject([
      { index: 0, hasPassed: true, outcome: 'allow', policies: ['team-owns-type'] },
      { index: 1, hasPassed: false, outcome: 'allow', policies: ['team-owns-type'], test: { expect: 'deny' } },
      { index: 2, hasPassed: false, outcome: null, policies: [], said: 'There is no principal nobody.' },
    ]);
  });

  it('run for every change, whatever it edits', () => {
    const { definitions } = compileEdits([tested([test()])]);
    const confidential = edited('objectType', 'Message', { classification: 'confidential' });
    expect(codes(compileEdits([confidential], definitions))).toContain('policy_test_failed');
    expect(codes(compileEdits([copied('objectType', 'User', 'Person')], definitions))).not.toContain(
      'policy_test_failed',
    );
  });
});
