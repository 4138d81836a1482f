import { describe, expect, it } from 'vitest';
import { LowerQuota, NarrowingPreview } from '#server/contract/narrowing.ts';
import { previewSwitchOff, switchOffPolicy } from '#server/policies/switch-off-policy.ts';
import { disablePrincipal, previewDisable } from '#server/tenants/disable-principal.ts';
import { lowerQuota } from '#server/tenants/lower-quota.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { policy } from '#test/server/compile/fixture.ts';
import { refusal, START_MS, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const document = async (kind: string, name: string) =>
  (await db.definition.findUniqueOrThrow({ where: { kind_name: { kind, name } } })).document;

/** What every narrowing act leaves: an emergency release with its reason, an audit row, a follow-up. */
async function expectTraces(release: number, subject: string, reason: string) {
  expect(await db.release.findUniqueOrThrow({ where: { number: release } })).toMatchObject({ emergency: true, reason });
  expect(await db.inboxItem.findMany({ where: { subject } })).toMatchObject([{ kind: 'follow-up', closable: true }]);
  expect(await db.auditEvent.findMany({ where: { release, outcome: 'emergency' } })).toMatchObject([
    { because: reason },
  ]);
}

describe('disabling a principal', () => {
  it('says what it cuts off, and only to those who may see its traffic', async () => {
    await db.principalUse.create({
      data: {
        bucketAt: new Date(START_MS),
        gateway: 'gw-a',
        tenant: 'chat',
        principal: 'chat-api',
        type: 'Message',
        requests: 41_200,
        ru: 1,
      },
    });
    const seen = NarrowingPreview.parse(await previewDisable(await console.as('olga'), { name: 'chat-api' }));
    expect(seen).toMatchObject({ possible: { may: true }, cuts: ['chat-api sent 41,200 requests in chat in 24 h.'] });
    expect(seen.effects.map(({ tone }) => tone)).toContain('narrows');
    await db.user.create({
      data: { id: 'eve', issuer: 't', subject: 'e', name: 'Eve', email: '', roles: ['engineer'] },
    });
    const stranger = await previewDisable(await console.as('eve'), { name: 'chat-api' });
    expect([stranger.cuts, stranger.possible]).toEqual([
      [],
      { may: false, why: 'Team chat, security, operators and admins disable it.' },
    ]);
  });

  it('publishes at once, is refused to others, and twice changes nothing', async () => {
    const input = { name: 'chat-api', reason: 'It floods us.' };
    expect((await refusal(disablePrincipal(await console.as('eve'), input))).code).toBe('not_permitted');
    const { release } = await disablePrincipal(await console.as('olga'), input);
    expect(await document('principal', 'chat-api')).toMatchObject({ disabled: true });
    await expectTraces(release, 'principal:chat-api', 'It floods us.');
    expect(await disablePrincipal(await console.as('sam'), input)).toEqual({ release });
    expect((await refusal(disablePrincipal(await console.as('sam'), { ...input, name: 'ghost' }))).code).toBe(
      'not_found',
    );
  });
});

describe('switching a policy off', () => {
  it('takes a grant away and leaves its text in the history', async () => {
    const grant = policy('agents-read', 'permit (principal is Agent, action == Action::"object.read", resource);');
    await acts.publish('ana', await acts.approved([grant], ['sam']));
    const seen = NarrowingPreview.parse(await previewSwitchOff(await console.as('sam'), { name: 'agents-read' }));
    expect(seen.possible.may).toBe(true);
    const input = { name: 'agents-read', reason: 'Too broad.' };
    expect((await refusal(switchOffPolicy(await console.as('olga'), input))).code).toBe('not_permitted');
    const { release } = await switchOffPolicy(await console.as('sam'), input);
    await expectTraces(release, 'policy:agents-read', 'Too broad.');
    const where = { kind: 'policy', name: 'agents-read' };
    expect(await db.definition.findUniqueOrThrow({ where: { kind_name: where } })).toMatchObject({ removed: true });
    expect(await db.definitionRevision.count({ where })).toBe(2);
    expect((await refusal(switchOffPolicy(await console.as('sam'), input))).code).toBe('not_found');
  });

  it('that forbids is refused: that would widen', async () => {
    const forbid = policy('no-deletes', 'forbid (principal, action == Action::"object.delete", resource);');
    const enabled = { kind: 'principal' as const, name: 'chat-api', document: await document('principal', 'chat-api') };
    const again = { ...enabled, document: { ...(enabled.document as object), disabled: false } };
    await acts.publish('ana', await acts.approved([forbid, again], ['sam']));
    const refused = await refusal(switchOffPolicy(await console.as('sam'), { name: 'no-deletes', reason: 'Why not.' }));
    expect(refused.code).toBe('wrong_state');
    expect(refused.publicMessage).toMatch(/^It would also widen: .* Take it through a change\.$/);
  });
});

describe('lowering a quota', () => {
  it('takes only lower limits, names the field that is not, and bites at once', async () => {
    const input = (quotas: object) => ({ tenant: 'chat', ...LowerQuota.parse({ quotas, reason: 'It floods us.' }) });
    expect((await refusal(lowerQuota(await console.as('sam'), input({ readsPerSecond: 1 })))).code).toBe(
      'not_permitted',
    );
    const raised = await refusal(lowerQuota(await console.as('olga'), input({ readsPerSecond: 501, inFlight: 10 })));
    expect(raised.fields).toEqual({ 'quotas.readsPerSecond': 'Above the published 500; raise it in a change.' });
    expect((await refusal(lowerQuota(await console.as('olga'), input({ readsPerSecond: 500 })))).code).toBe(
      'wrong_state',
    );
    const { release } = await lowerQuota(await console.as('olga'), input({ readsPerSecond: 50 }));
    expect(await document('tenant', 'chat')).toMatchObject({ quotas: { readsPerSecond: 50, writesPerSecond: 200 } });
    await expectTraces(release, 'tenant:chat', 'It floods us.');
  });
});
