import { createLocalJWKSet, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { PrincipalName, Sha256Hex } from '#gateway/contract/ids.ts';
import { preparePolicies } from '#gateway/policy/engine.ts';
import { buildIndexes } from '#gateway/release/build-indexes.ts';
import { itemsOf } from '#gateway/release/items.ts';
import { policyContentOf } from '#gateway/release/policy-content.ts';
import { createReleaseSource } from '#gateway/release/source.ts';
import { openTable } from '#gateway/release/table.ts';
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
    inParts: true,
    signer,
  });
  const bytes = {
    sha256: built.header.sha256,
    header: Buffer.from(JSON.stringify(built.header)),
    sections: new Map(built.sections.map(({ sha256, content }) => [sha256 as string, Buffer.from(content)])),
  };
  const source = createReleaseSource({
    client: { get: noConsole, post: noConsole },
    trust: createLocalJWKSet({ keys: [signer.publicJwk] }),
    lastGood: { read: () => bytes, write: () => {} },
    nowMs: () => 0,
  });
  const release = await source.kept();
  if (release === null) throw new Error('There is no release.');

  const indexes = buildIndexes(release, Int32Array.of(0));
  for (const name of ['Conversation', 'Message', 'User']) expect(indexes.objectTypes.get(name)?.name).toBe(name);
  expect(indexes.objectTypes.get('Nothing')).toBeUndefined();
  expect(indexes.keys.get(key.id)?.principal.name).toBe(EXAMPLE_PRINCIPAL);
  const inverse = indexes.edgeTypes.get('inConversation')?.rule;
  expect(inverse).toMatchObject({
    derivedFrom: 'messages',
    forward: { edgeType: 'messages', inverse: 'inConversation' },
  });

  const policies = preparePolicies(release.sha256, policyContentOf(release.table));
  if ('problem' in policies) throw new Error(policies.problem);
  const probe = itemsOf(openTable(release.table), 'probe');
  expect(new Set(probe.map(({ principal }) => principal))).toEqual(new Set([EXAMPLE_PRINCIPAL, 'helper']));
  for (const { expect: said, ...question } of probe) expect(policies.decide(question).decision).toBe(said);
});

function noConsole(): Promise<never> {
  throw new Error('It was there already.');
}
