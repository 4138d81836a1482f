import { beforeAll, describe, expect, it } from 'vitest';
import { beginChecks } from '#server/changes/begin-checks.ts';
import { settleChecks } from '#server/changes/checks/settle-checks.ts';
import { overrideFinding } from '#server/changes/override-finding.ts';
import type { Finding } from '#server/contract/changes.ts';
import type { Section } from '#server/contract/rules.ts';
import { copied, edited, policy } from '#test/server/compile/fixture.ts';
import { refusal, START_MS, testConsole } from '#test/server/console.ts';
import { recordOf, seriesOf } from '#test/support/shipments.ts';
import { changeActs } from './acts.ts';
import { traffic } from './traffic.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const sent = traffic(console);

beforeAll(async () => {
  await sent.used('messages', 4_112, { operation: 'edge.put' });
  await sent.used('Message', 880, { operation: 'object.get' });
});

const settled = async (who: string, number: number) => {
  await settleChecks(await console.as(who), number);
  return acts.read(who, number);
};
const of = (findings: readonly Finding[], section: Section, severity = 'warning') =>
  findings.filter((finding) => finding.section === section && finding.severity === severity);
const named = (findings: readonly Finding[], code: string) => findings.filter((finding) => finding.code === code);

describe('the verdict', () => {
  it('names five faults of one change at once, each in its section with a sample', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('edgeType', 'messages', { maxEdges: 10, dataMaxBytes: 10 }));
    await acts.save('ana', number, edited('edgeType', 'members', { listCap: 10 }));
    await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 1_400_000 }));
    await acts.save('ana', number, edited('objectType', 'User', { ownerTeam: 'ghosts' }));
    await acts.save(
      'ana',
      number,
      policy('no-reads', 'forbid (principal, action == Action::"object.read", resource == ObjectType::"Message");'),
    );
    const { findings, checks } = await settled('ana', number);
    expect(checks.map(({ section, state }) => [section, state])).toEqual([
      ['validity', 'done'],
      ['compatibility', 'done'],
      ['live data', 'done'],
      ['traffic', 'done'],
      ['cost', 'done'],
      ['owners', 'done'],
      ['gateways', 'done'],
    ]);
    expect(of(findings, 'compatibility').map(({ code }) => code)).toContain('max_edges_narrowed');
    expect(of(findings, 'live data')[0]).toMatchObject({
      code: 'stored_over_limit',
      name: 'messages',
      message: expect.stringContaining('Up to 4,112 edges of messages'),
      example: expect.stringContaining('object c1'),
      href: expect.stringMatching(/^\/requests\/req_messages/),
    });
    expect(of(findings, 'traffic')[0]).toMatchObject({
      code: 'newly_refused',
      name: 'no-reads',
      path: 'cedar',
      message: expect.stringContaining('chat-api of tenant chat loses object.read of Message: about 880'),
      example: expect.stringContaining('req_Message'),
      href: expect.stringMatching(/^\/requests\/req_Message/),
    });
    expect(of(findings, 'cost')[0]).toMatchObject({ code: 'cost_raised', name: 'Message', path: 'maxBytes' });
    expect(of(findings, 'cost')[0]?.example).toMatch(/^Estimated/);
    expect(of(findings, 'owners', 'error')[0]).toMatchObject({
      code: 'owner_unknown',
      path: 'ownerTeam',
      example: expect.stringContaining('chat'),
    });
  });

  it('shows figures of a tenant to those who may see its traffic, and to nobody else', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, { kind: 'objectType', name: 'Message', document: null });
    const own = named((await settled('ana', number)).findings, 'type_in_use')[0];
    expect(own?.message).toContain('chat-api 880 requests');
    await db.user.create({
      data: { id: 'vic', issuer: 'test', subject: 'vic', name: 'Vic', email: 'vic@example.com', roles: ['engineer'] },
    });
    const other = named((await acts.read('vic', number)).findings, 'type_in_use')[0];
    expect(other?.message).toContain('Tenant chat still used Message');
    expect(JSON.stringify((await acts.read('vic', number)).findings)).not.toMatch(/880|req_/);
  });

  it('tells of a lowered quota how often it would have been met', async () => {
    await sent.ship({
      tenants: [
        seriesOf(
          sent.atMs,
          Array.from({ length: 4_600 }, () => 800),
          { tenant: 'chat' },
        ),
      ],
      requests: [recordOf('req_busy', sent.atMs + 5)],
    });
    const number = await acts.open('ana');
    const quotas = { readsPerSecond: 300, writesPerSecond: 200, ruPerSecond: 10_000, inFlight: 200 };
    await acts.save('ana', number, edited('tenant', 'chat', { quotas }));
    const found = named((await settled('ana', number)).findings, 'quota_below_traffic');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ path: 'quotas.readsPerSecond', href: '/requests/req_busy' });
    expect(found[0]?.message).toContain('460 reads a second; 300 would be allowed. At least 1,600 reads');
  });

  it('tells of a grant which refused requests it would serve', async () => {
    await sent.ship({
      requests: [
        recordOf('req_denied', sent.atMs + 9, {
          type: 'Secret',
          code: 'forbidden',
          status: 403,
          outcome: 'refused',
          policy: null,
        }),
      ],
    });
    const secret = copied('objectType', 'Message', 'Secret', { classification: 'restricted' });
    const published = await acts.approved([secret]);
    await acts.publish('ana', published);
    const number = await acts.open('ana');
    await acts.save(
      'ana',
      number,
      policy('opens', 'permit (principal == Service::"chat-api", action, resource == ObjectType::"Secret");'),
    );
    expect(named((await settled('ana', number)).findings, 'newly_allowed')[0]).toMatchObject({
      name: 'opens',
      href: '/requests/req_denied',
    });
  });

  it('names a gateway that could not run the release', async () => {
    await db.gateway.create({
      data: {
        name: 'gw-old',
        version: '0.0.9',
        url: 'http://127.0.0.1:1',
        startedAt: new Date(START_MS),
        lastHeardAt: new Date(START_MS),
        workers: [],
        auditBacklog: 0,
        storeReachable: true,
        storeMessage: '',
      },
    });
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Sticker'));
    const { findings } = await acts.read('ana', number);
    expect(named(findings, 'gateway_too_old')[0]?.message).toContain('gw-old is of version 0.0.9');
    await db.gateway.delete({ where: { name: 'gw-old' } });
  });
});

describe('slow checks', () => {
  it('are kept with the content they judged; an edit asks for new ones', async () => {
    const number = await acts.open('ana');
    const saved = await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 100 }));
    expect((await acts.read('ana', number)).checks.find(({ section }) => section === 'cost')?.state).toBe('waiting');
    expect((await settled('ana', number)).checks.every(({ state }) => state === 'done')).toBe(true);
    const judged = await db.changeCheck.findFirstOrThrow({ where: { changeNumber: number, section: 'traffic' } });
    await settled('bo', number);
    expect(await db.changeCheck.findFirst({ where: { changeNumber: number, section: 'traffic' } })).toEqual(judged);
    await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 200 }), saved.version);
    expect((await acts.read('ana', number)).checks.find(({ section }) => section === 'traffic')?.state).toBe('waiting');
  });

  it('go on when nobody waits for them', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, copied('objectType', 'Message', 'Later'));
    await beginChecks(await console.as('ana'), { number });
    await settleChecks(await console.as('bo'), number);
    expect(await db.changeCheck.count({ where: { changeNumber: number, state: 'done' } })).toBe(3);
  });

  it('of a change that is not there are refused', async () => {
    expect((await refusal(beginChecks(await console.as('ana'), { number: 9_999 }))).code).toBe('not_found');
  });

  it('that cannot run warn of an edit and block a removal', async () => {
    const [edit, removal] = [await acts.open('ana'), await acts.open('ana')];
    await acts.save('ana', edit, edited('objectType', 'User', { maxBytes: 20_000 }));
    await acts.save('ana', removal, { kind: 'principal', name: 'chat-api', document: null });
    await db.$executeRaw`ALTER TABLE principal_use RENAME TO principal_use_away`;
    try {
      const soft = await settled('ana', edit);
      expect(named(soft.findings, 'check_incomplete')[0]).toMatchObject({ severity: 'warning', section: 'traffic' });
      const hard = await settled('ana', removal);
      expect(named(hard.findings, 'check_incomplete')[0]).toMatchObject({ severity: 'error', name: 'chat-api' });
      expect((await refusal(acts.submit('ana', removal))).code).toBe('blocked_by_findings');
    } finally {
      await db.$executeRaw`ALTER TABLE principal_use_away RENAME TO principal_use`;
    }
    // What could not run is tried again by the next act.
    await acts.submit('ana', removal);
  });
});

describe('a removal', () => {
  it('is refused while the type is used, unless an admin takes it on themselves for this content', async () => {
    const number = await acts.open('ana');
    await acts.save('ana', number, { kind: 'edgeType', name: 'messages', document: null });
    const blocked = await refusal(acts.submit('ana', number));
    expect(blocked.code).toBe('blocked_by_findings');
    const { contentHash } = await acts.read('ana', number);
    const act = { number, kind: 'edgeType', name: 'messages', code: 'type_in_use', contentHash } as const;
    const reason = 'Its last caller is switched off today.';
    expect((await refusal(overrideFinding(await console.as('bo'), { ...act, reason }))).code).toBe('not_permitted');
    const wrong = { ...act, code: 'owner_unknown', reason };
    expect((await refusal(overrideFinding(await console.as('ada'), wrong))).code).toBe('invalid_input');
    const stale = { ...act, contentHash: 'old', reason };
    expect((await refusal(overrideFinding(await console.as('ada'), stale))).code).toBe('conflict');
    await overrideFinding(await console.as('ada'), { ...act, reason });
    expect(named((await acts.read('bo', number)).findings, 'type_in_use')[0]).toMatchObject({
      severity: 'warning',
      overriddenBy: { name: 'Ada Moss', reason },
    });
    expect(await db.auditEvent.findFirst({ where: { did: 'overrode' } })).toMatchObject({
      actor: 'Ada Moss',
      because: reason,
    });
    await acts.save('ana', number, copied('objectType', 'Message', 'Another'));
    expect(named((await settled('ana', number)).findings, 'type_in_use')[0]?.severity).toBe('error');
  });

  it('of a type that nobody used is not held up', async () => {
    const number = await acts.approved([copied('objectType', 'Message', 'Unused')]);
    await acts.publish('ana', number);
    const removal = await acts.approved([{ kind: 'objectType', name: 'Unused', document: null }]);
    expect((await acts.read('ana', removal)).findings.map(({ code }) => code)).toEqual(['removed']);
  });
});

describe('an approval', () => {
  it('needs a tick for every warning', async () => {
    const { reviewChange } = await import('#server/changes/review-change.ts');
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('objectType', 'Message', { maxBytes: 100 }));
    await acts.submit('ana', number);
    const { contentHash } = await acts.read('bo', number);
    const unread = { number, verdict: 'approved' as const, comment: '', ticked: [], contentHash };
    const refused = await refusal(reviewChange(await console.as('bo'), unread));
    expect([refused.code, refused.publicMessage]).toEqual([
      'invalid_input',
      expect.stringContaining('A warning was not looked at'),
    ]);
    await acts.review('bo', number);
    const { ticked } = await db.review.findFirstOrThrow({ where: { changeNumber: number } });
    expect(ticked).toContain('objectType/Message/maxBytes max_bytes_narrowed');
  });
});
