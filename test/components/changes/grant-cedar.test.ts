import { validate } from '@cedar-policy/cedar-wasm/nodejs';
import { expect, test } from 'vitest';
import { GRANT_VERBS, type Grant, grantCedar, grantSentence } from '#components/changes/grant-cedar.ts';
import { ACTOR_KINDS } from '#gateway/contract/definitions/principal.ts';
import { CEDAR_SCHEMA } from '#gateway/contract/policy-model.ts';

const grant: Grant = {
  effect: 'permit',
  who: { by: 'principal', name: 'search', actorKind: 'service' },
  verbs: ['read'],
  type: { kind: 'objectType', name: 'Message' },
  tenant: undefined,
};

const every: readonly Grant[] = ACTOR_KINDS.flatMap((actorKind) =>
  (['principal', 'group'] as const).flatMap((by) =>
    (['objectType', 'edgeType'] as const).flatMap((kind) =>
      [['read'] as const, GRANT_VERBS].flatMap((verbs) =>
        [undefined, 'chat'].map((tenant) => ({
          effect: tenant === undefined ? ('permit' as const) : ('forbid' as const),
          who: { by, name: 'search', actorKind },
          verbs,
          type: { kind, name: kind === 'objectType' ? 'Message' : 'messages' },
          tenant,
        })),
      ),
    ),
  ),
);

test('every grant that the form can write is valid Cedar under the strict schema', () => {
  expect(every).toHaveLength(64);
  for (const each of every) {
    const result = validate({
      schema: CEDAR_SCHEMA,
      policies: { staticPolicies: { p: grantCedar(each) } },
      validationSettings: { mode: 'strict' },
    });
    if (result.type === 'failure') throw new Error(`${grantCedar(each)}\n${JSON.stringify(result.errors)}`);
    expect(result.validationErrors, grantCedar(each)).toEqual([]);
    expect(result.validationWarnings, grantCedar(each)).toEqual([]);
  }
});

test('a grant to a group names the actor kind, so that it never reaches agents by accident', () => {
  const text = grantCedar({ ...grant, who: { by: 'group', name: 'triage', actorKind: 'agent' } });
  expect(text).toContain('principal is Agent in Group::"triage"');
});

test('the sentence says who, what and where', () => {
  expect(grantSentence(grant)).toBe('search may read Message of its own tenant.');
  expect(grantSentence({ ...grant, effect: 'forbid', verbs: GRANT_VERBS, tenant: 'chat' })).toBe(
    'search must not read, write and delete Message of tenant chat.',
  );
});
