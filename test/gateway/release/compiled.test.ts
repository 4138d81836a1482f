import { createLocalJWKSet, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { PrincipalName, Sha256Hex } from '#gateway/contract/ids.ts';
import { preparePolicies } from '#gateway/policy/engine.ts';
import { buildIndexes } from '#gateway/release/build-indexes.ts';
import { verifyBytes } from '#gateway/release/fetch.ts';
import { compile } from '#server/compile/compile.ts';
import { buildRelease } from '#server/publication/build-release.ts';
import { createSigner } from '#server/publication/signer.ts';
import { EXAMPLE_DEFINITIONS, EXAMPLE_PRINCIPAL } from '#server/seed/example.ts';
import { makeKey } from '#test/gateway/fixtures/definitions.ts';

const AGENT = {
  kind: 'principal' as const,
  name: 'helper',
  document: {
    ownerTeam: 'chat',
    description: 'An agent.',
    tenant: 'chat',
    actorKind: 'agent',
    groups: [],
    disabled: false,
  },
};

test('what the console compiles and signs, the gateway verifies, indexes, and decides as the console said', async () => {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const signer = await createSigner({ kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '', d: jwk.d ?? '' });
  const { item } = makeKey(EXAMPLE_PRINCIPAL);
  const key = {
    ...item,
    principal: PrincipalName.parse(item.principal),
    secretSha256: Sha256Hex.parse(item.secretSha256),
  };
  const edits = [...EXAMPLE_DEFINITIONS, AGENT];
  const compiled = compile({ published: [], edits, teams: ['chat', 'platform'], keys: [key] });
  expect(compiled.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (compiled.sections === null) throw new Error('It does not compile.');
  const built = await buildRelease({
    id: { epoch: 1, number: 1 },
    createdAtMs: 1_800_000_000_000,
    previous: null,
    sections: compiled.sections,
    signer,
  });
  const bytes = {
    sha256: built.header.sha256,
    header: Buffer.from(JSON.stringify(built.header)),
    sections: new Map(built.sections.map(({ sha256, content }) => [sha256 as string, Buffer.from(content)])),
  };
  const content = await verifyBytes(bytes, createLocalJWKSet({ keys: [signer.publicJwk] }));

  const indexes = buildIndexes(content, { chat: 0 });
  expect([...indexes.objectTypes.keys()]).toEqual(['Conversation', 'Message', 'User']);
  expect(indexes.keys.get(key.id)?.principal.name).toBe(EXAMPLE_PRINCIPAL);
  const inverse = indexes.edgeTypes.get('inConversation')?.rule;
  expect(inverse).toMatchObject({
    derivedFrom: 'messages',
    forward: { edgeType: 'messages', inverse: 'inConversation' },
  });

  const policies = preparePolicies(content.sha256, content.items);
  if ('problem' in policies) throw new Error(policies.problem);
  const { probe } = content.items;
  expect(new Set(probe.map(({ principal }) => principal))).toEqual(new Set([EXAMPLE_PRINCIPAL, 'helper']));
  for (const { expect: said, ...question } of probe) expect(policies.decide(question).decision).toBe(said);
});
