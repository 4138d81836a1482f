import { describe, expect, it } from 'vitest';
import { canonicalJson, KeySection, SECTION_KINDS, SECTION_SCHEMAS } from '#gateway/contract/release.ts';
import { compile } from '#server/compile/compile.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';
import { codes, compileEdits, copied, edited, findingOf, policy, TEAMS } from './fixture.ts';

const reaction = copied('objectType', 'Message', 'Reaction', { description: 'A reaction to a message.' });

describe('a release', () => {
  it('of the example is exactly the golden file', async () => {
    const result = compileEdits([]);
    expect(result.findings).toEqual([]);
    await expect(`${JSON.stringify(result.sections, null, 2)}\n`).toMatchFileSnapshot(
      '../../golden/compile/example-sections.json',
    );
  });

  it('has sections that the contract parses', () => {
    const { sections } = compileEdits([reaction]);
    if (sections === null) throw new Error('blocked');
    for (const kind of SECTION_KINDS) SECTION_SCHEMAS[kind].parse(JSON.parse(canonicalJson(sections[kind])));
  });

  it('has equal bytes whatever the order of definitions', () => {
    const one = compileEdits([]).sections;
    const other = compileEdits([], EXAMPLE_DEFINITIONS.toReversed()).sections;
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });

  it('leaves out keys of principals that are gone', () => {
    const { items } = KeySection.parse({
      items: ['gone', 'chat-api'].map((principal, index) => ({
        id: `AAAAAAAAAAA${index}`,
        principal,
        secretSha256: '0'.repeat(64),
        expiresAtMs: null,
      })),
    });
    const { sections } = compile({ published: EXAMPLE_DEFINITIONS, edits: [], teams: TEAMS, keys: items });
    expect(sections?.key.items.map(({ principal }) => principal)).toEqual(['chat-api']);
  });

  it('is not made when anything blocks', () => {
    expect(compileEdits([edited('objectType', 'Message', { maxBytes: 0 })]).sections).toBeNull();
  });
});

describe('findings', () => {
  it('come all at once, each with its place', async () => {
    const result = compileEdits([
      edited('objectType', 'Message', { maxBytes: 3_000_000, ownerTeam: 'nobody', extra: 1 }),
      { kind: 'objectType', name: 'lower', document: {} },
      copied('edgeType', 'messages', 'reactions', { to: 'Reaction', inverse: 'missing' }),
      policy('broken', 'permit (principal, action\n resource);'),
      policy('typo', 'permit (principal, action, resource) when { resource.owner == "chat" };'),
      policy('unknown', 'permit (principal == Service::"nobody", action, resource == ObjectType::"Nothing");'),
      copied('principal', 'chat-api', 'search-api', { tenant: 'search' }),
    ]);
    const lines = result.findings.map(
      ({ severity, code, kind, name, path, message, example }) =>
        `${severity} ${code} · ${kind} ${name}${path === '' ? '' : ` · ${path}`}\n  ${message}${example === undefined ? '' : `\n  ${example}`}`,
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../golden/compile/findings.txt');
  });

  it('name what an unfinished draft lacks without calling it unknown', () => {
    const result = compileEdits([
      { kind: 'objectType', name: 'Reaction', document: { ownerTeam: 'chat' } },
      copied('edgeType', 'members', 'reactions', { from: 'Message', to: 'Reaction', inverse: undefined }),
    ]);
    expect(codes(result)).not.toContain('end_unknown');
    expect(findingOf(result, 'field_missing')).toMatchObject({ path: 'description', name: 'Reaction' });
  });

  it('ask for a choice where a name was not chosen yet, instead of telling how names are written', () => {
    const result = compileEdits([copied('edgeType', 'members', 'reactions', { from: '', inverse: undefined })]);
    const message = 'Choose the object type that it starts from.';
    expect(findingOf(result, 'field_missing')).toMatchObject({ path: 'from', message });
  });

  it.each([
    ['inverse_of_itself', [edited('edgeType', 'members', { inverse: 'members' })]],
    ['inverse_has_inverse', [edited('edgeType', 'memberOf', { inverse: 'members' })]],
    ['inverse_not_many', [edited('edgeType', 'memberOf', { cardinality: 'one' })]],
    ['inverse_ends_differ', [copied('edgeType', 'members', 'authors', { inverse: 'inConversation' })]],
    ['inverse_shared', [copied('edgeType', 'members', 'guests', { inverse: 'memberOf' })]],
    ['inverse_unknown', [copied('edgeType', 'members', 'guests', { inverse: 'guestOf' })]],
    ['owner_unknown', [edited('tenant', 'chat', { ownerTeam: 'ghosts' })]],
    ['tenant_unknown', [edited('principal', 'chat-api', { tenant: 'ghosts' })]],
    ['end_unknown', [{ kind: 'objectType', name: 'User', document: null }]],
    ['tenant_unknown', [{ kind: 'tenant', name: 'chat', document: null }]],
    [
      'cedar_not_one_policy',
      [policy('two', 'forbid (principal, action, resource); permit (principal, action, resource);')],
    ],
    ['cedar_not_one_policy', [policy('none', '// nothing here')]],
    ['cedar_invalid', [policy('bad', 'permit (principal, action == Action::"object.steal", resource);')]],
    ['edge_ends_changed', [edited('edgeType', 'members', { to: 'Message' })]],
    ['cardinality_narrowed', [edited('edgeType', 'members', { cardinality: 'one' })]],
    ['nothing_to_remove', [{ kind: 'objectType', name: 'Ghost', document: null }]],
  ] as const)('%s blocks', (code, edits) => {
    const result = compileEdits(edits);
    expect(findingOf(result, code).severity).toBe('error');
    expect(result.sections).toBeNull();
  });

  it.each([
    ['max_bytes_narrowed', edited('objectType', 'Message', { maxBytes: 1_024 })],
    ['classification_lowered', edited('objectType', 'Message', { classification: 'public' })],
    ['audit_reduced', edited('objectType', 'Message', { audit: { reads: 'none', writes: 'none' } })],
    ['list_cap_narrowed', edited('edgeType', 'members', { listCap: 10 })],
    ['max_edges_narrowed', edited('edgeType', 'members', { maxEdges: 10 })],
    ['edge_data_narrowed', edited('edgeType', 'members', { dataMaxBytes: 10 })],
    ['inverse_changed', edited('edgeType', 'members', { inverse: undefined })],
    ['removed', { kind: 'principal', name: 'chat-api', document: null }],
    ['policy_always_allows', policy('open', 'permit (principal, action, resource);')],
    ['policy_always_forbids', policy('closed', 'forbid (principal, action, resource);')],
    [
      'policy_never_applies',
      policy('never', 'permit (principal, action == Action::"object.read", resource is EdgeType);'),
    ],
    ['policy_reaches_nobody', policy('empty', 'permit (principal in Group::"ghosts", action, resource);')],
    [
      'quota_zero',
      edited('tenant', 'chat', { quotas: { readsPerSecond: 0, writesPerSecond: 1, ruPerSecond: 1, inFlight: 1 } }),
    ],
  ] as const)('%s warns and does not block', (code, edit) => {
    const result = compileEdits([edit]);
    expect(findingOf(result, code).severity).toBe('warning');
    expect(result.sections).not.toBeNull();
  });

  it('of a published policy do not warn in a change of something else', () => {
    const published = compileEdits([policy('open', 'permit (principal, action, resource);')]).definitions;
    expect(codes(compileEdits([reaction], published))).toEqual([]);
  });
});
