import { describe, expect, test } from 'vitest';
import { STANDING_POLICY, STANDING_POLICY_CEDAR } from '#gateway/contract/policy-model.ts';
import { preparePolicies } from '#gateway/policy/engine.ts';
import { policyContentOf } from '#gateway/release/policy-content.ts';
import { edgeType, objectType, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { tableOf } from '#test/gateway/fixtures/table.ts';

const standing = { name: STANDING_POLICY, ownerTeam: 'platform', cedar: STANDING_POLICY_CEDAR };
const policy = (name: string, cedar: string) => ({ name, ownerTeam: 'security', cedar });
let sets = 0;

function prepare(policies: object[]) {
  const table = tableOf({
    objectType: [objectType('Message'), objectType('Secret', { classification: 'restricted' })],
    edgeType: [edgeType('messages', 'Message', 'Message'), edgeType('leaks', 'Secret', 'Message')],
    policy: policies.map((one) => ({ ...one })),
    tenant: [tenant('chat'), tenant('other')],
    principal: [
      principal('api', { groups: ['backend'] }),
      principal('bot', { actorKind: 'agent', groups: ['backend'] }),
      principal('ann', { actorKind: 'user' }),
      principal('stranger', { tenant: 'other' }),
    ],
  });
  return preparePolicies(`set-${++sets}`, policyContentOf(table));
}

function decider(policies: object[]) {
  const prepared = prepare(policies);
  if ('problem' in prepared) throw new Error(prepared.problem);
  return (
    who: string,
    action: Parameters<typeof prepared.decide>[0]['action'],
    resource: string,
    tenantName = 'chat',
  ) => prepared.decide({ principal: who, action, resource, tenant: tenantName });
}

describe('a decision', () => {
  test('is deny by default, without a policy to name', () => {
    expect(decider([])('api', 'object.read', 'Message')).toEqual({ decision: 'deny', policies: [] });
  });

  test('follows the standing policy: own team, own tenant, not restricted, services only', () => {
    const decide = decider([standing]);
    expect(decide('api', 'object.write', 'Message')).toEqual({ decision: 'allow', policies: [STANDING_POLICY] });
    expect(decide('api', 'edge.read', 'messages').decision).toBe('allow');
    expect(decide('api', 'object.read', 'Secret').decision).toBe('deny');
    expect(decide('api', 'object.read', 'Message', 'other').decision).toBe('deny');
    expect(decide('stranger', 'object.read', 'Message').decision).toBe('deny');
    expect(decide('stranger', 'object.read', 'Message', 'other').decision).toBe('deny');
    expect(decide('ann', 'object.read', 'Message').decision).toBe('deny');
  });

  test('on an edge type has the classification of the object type it starts from', () => {
    expect(decider([standing])('api', 'edge.read', 'leaks').decision).toBe('deny');
  });

  test('across tenants needs a permit that says so', () => {
    const grant = policy(
      'cross',
      'permit (principal == Service::"stranger", action == Action::"object.read", resource == ObjectType::"Message") when { resource.tenant == "chat" };',
    );
    const decide = decider([standing, grant]);
    expect(decide('stranger', 'object.read', 'Message')).toEqual({ decision: 'allow', policies: ['cross'] });
    expect(decide('stranger', 'object.write', 'Message').decision).toBe('deny');
  });

  test('gives an agent nothing from a permit that does not name agents; every forbid binds it', () => {
    const everyone = policy('everyone', 'permit (principal, action, resource);');
    const group = policy('group', 'permit (principal in Group::"backend", action, resource);');
    const agents = policy('agents', 'permit (principal is Agent, action == Action::"object.read", resource);');
    const forbid = policy('stop', 'forbid (principal, action, resource == ObjectType::"Secret");');
    expect(decider([everyone, group])('api', 'object.read', 'Secret').decision).toBe('allow');
    expect(decider([everyone, group])('bot', 'object.read', 'Message').decision).toBe('deny');
    const decide = decider([everyone, group, agents, forbid]);
    expect(decide('bot', 'object.read', 'Message')).toEqual({ decision: 'allow', policies: ['agents'] });
    expect(decide('bot', 'object.write', 'Message').decision).toBe('deny');
    expect(decide('bot', 'object.read', 'Secret')).toEqual({ decision: 'deny', policies: ['stop'] });
    const named = policy('named', 'permit (principal == Agent::"bot", action, resource);');
    expect(decider([named])('bot', 'object.delete', 'Message').decision).toBe('allow');
  });

  test('on what the release does not know is deny', () => {
    const decide = decider([policy('everyone', 'permit (principal, action, resource);')]);
    expect(decide('ghost', 'object.read', 'Message').decision).toBe('deny');
    expect(decide('api', 'object.read', 'Ghost').decision).toBe('deny');
    expect(decide('api', 'edge.read', 'Message').decision).toBe('deny');
  });
});

test.each([
  ['does not parse', 'permit ('],
  ['names an unknown action', 'permit (principal, action == Action::"object.steal", resource);'],
  ['reads an unknown attribute', 'permit (principal, action, resource) when { resource.colour == "red" };'],
])('a policy that %s is refused with its reason', (_, cedar) => {
  expect(prepare([standing, policy('broken', cedar)])).toEqual({ problem: expect.stringMatching(/policy/i) });
});
