import { describe, expect, it } from 'vitest';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { check } from '#server/compile/compile.ts';
import type { KeptCalls, OperationCost, Use } from '#server/compile/evidence.ts';
import type { Judgement } from '#server/compile/finding.ts';
import { judgeCost } from '#server/compile/judge-cost.ts';
import { judgeQuotas } from '#server/compile/judge-quota.ts';
import { judgeStored, type StoredBounds } from '#server/compile/judge-stored.ts';
import { judgeTraffic } from '#server/compile/judge-traffic.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import { finishedEdits, touchedBy } from '#server/compile/touched.ts';
import { RULES } from '#server/contract/rules.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';
import { copied, edited, policy, TEAMS } from './fixture.ts';

const subject = (edits: readonly DraftEdit[], published: readonly Definition[] = EXAMPLE_DEFINITIONS) => {
  const input = { published, teams: TEAMS };
  const finished = finishedEdits(edits, check({ ...input, edits }));
  const checked = check({ ...input, edits: finished });
  return { checked, touched: touchedBy(finished, checked) };
};

const use = (type: string, requests: number, more: Partial<Use> = {}): Use => ({
  tenant: 'chat',
  principal: 'chat-api',
  type,
  requests,
  lastUsedMs: 0,
  ...more,
});
const kept = (action: KeptCalls['action'], count: number, more: Partial<KeptCalls> = {}): KeptCalls => ({
  tenant: 'chat',
  principal: 'chat-api',
  action,
  type: 'Message',
  wasForbidden: false,
  count,
  newest: { id: `req_${action.replace('.', '_')}`, operation: action === 'object.read' ? 'object.get' : 'object.put' },
  ...more,
});

const forbidReads = policy(
  'no-reads',
  'forbid (principal, action == Action::"object.read", resource == ObjectType::"Message");',
);
const traffic = (edits: readonly DraftEdit[], uses: readonly Use[], calls: readonly KeptCalls[] = []) => {
  const { touched, checked } = subject(edits);
  return judgeTraffic(touched, checked, { uses, kept: calls });
};
const messages = ({ findings }: Judgement) => findings.map(({ message }) => message);

describe('replayed traffic', () => {
  it('names an action once that several refused operations asked for', () => {
    const closed = policy('no-edges', 'forbid (principal, action == Action::"edge.read", resource);');
    const lifted = subject([{ ...closed, document: null }], [...EXAMPLE_DEFINITIONS, Definition.parse(closed)]);
    const refused = { type: 'members', wasForbidden: true } as const;
    const judged = judgeTraffic(lifted.touched, lifted.checked, {
      uses: [],
      kept: [kept('edge.read', 3, refused), kept('edge.read', 4, refused)],
    });
    expect(messages(judged)).toEqual([
      'chat-api of tenant chat may now edge.read members: 7 kept refusals would have been served.',
    ]);
  });

  it('counts the share of what a principal was seen to do', () => {
    const calls = [kept('object.read', 30), kept('object.write', 10)];
    const judged = traffic([forbidReads], [use('Message', 4_000)], calls);
    expect(messages(judged)).toEqual([
      'chat-api of tenant chat loses object.read of Message: about 3,000 of its requests in the last 30 days would be refused as forbidden.',
    ]);
    expect(judged.findings[0]).toMatchObject({ kind: 'policy', name: 'no-reads', href: '/requests/req_object_read' });
  });

  it('says up to when nothing was kept to tell', () => {
    expect(messages(traffic([forbidReads], [use('Message', 4_000)]))[0]).toContain('up to 4,000');
  });

  it('says nothing of a right that was never used', () => {
    const judged = traffic([forbidReads], [use('Message', 4_000)], [kept('object.write', 10)]);
    expect(judged).toMatchObject({ findings: [], summary: expect.stringContaining('comes out as before') });
  });

  it('counts every request when all of them are lost', () => {
    const disabled = edited('principal', 'chat-api', { disabled: true });
    expect(messages(traffic([disabled], [use('Message', 4_000)], [kept('object.read', 1)]))).toEqual([
      'chat-api of tenant chat uses Message: 4,000 of its requests in the last 30 days would be refused as unauthenticated.',
    ]);
  });

  it('of a refused type names the code that callers get', () => {
    const lifecycle = { state: 'deprecated-error', since: '2026-12-01' };
    const judged = traffic([edited('objectType', 'Message', { lifecycle })], [use('Message', 7)]);
    expect(messages(judged).at(-1)).toContain('refused as type_deprecated');
  });

  it('leaves an unfinished policy as it is published', () => {
    const broken = policy('team-owns-type', 'permit (principal, action');
    expect(traffic([broken], [use('Message', 7)]).findings).toEqual([]);
  });

  it('tells at most twenty pairs one by one', () => {
    const uses = Array.from({ length: 25 }, (_, at) => use('Message', 100 - at, { tenant: 'chat' }));
    const judged = traffic([{ kind: 'objectType', name: 'Message', document: null }], uses);
    const refused = judged.findings.filter(({ code }) => code === 'newly_refused');
    expect([refused.length, refused.at(-1)?.message]).toEqual([
      21,
      '5 more pairs of principal and type come out otherwise.',
    ]);
  });
});

describe('stored data', () => {
  const bounds = (more: Partial<StoredBounds> = {}): StoredBounds => ({
    stored: null,
    writes: 40,
    isWhole: true,
    busiest: null,
    ...more,
  });
  const judge = (edit: DraftEdit, of?: StoredBounds) =>
    judgeStored(subject([edit]).touched, new Map(of === undefined ? [] : [[edit.name, of]]));
  const removal: DraftEdit = { kind: 'edgeType', name: 'members', document: null };

  it('of which nothing is known blocks a removal and warns of a narrower limit', () => {
    expect(judge(removal).findings).toMatchObject([{ code: 'check_incomplete', severity: 'error' }]);
    const old = judge(edited('objectType', 'Message', { maxBytes: 10 }), bounds({ isWhole: false }));
    expect(old.findings).toMatchObject([{ code: 'check_incomplete', severity: 'warning', path: 'maxBytes' }]);
    expect(old.summary).toContain('Could not run for 1 of 1');
  });

  it('that was never written is no finding', () => {
    expect(judge(removal, bounds({ writes: 0 }))).toMatchObject({
      findings: [],
      summary: expect.stringContaining('Nothing was ever written'),
    });
  });

  it('that gateways counted is told as their count, however old the type is, and none is no finding', () => {
    const asOfMs = Date.UTC(2026, 0, 5, 12);
    const counted = (count: number, writesSince = 0) =>
      bounds({ stored: { count, asOfMs, writesSince }, isWhole: false });
    const found = judge(removal, counted(1_204));
    expect(found.summary).toBe('Counted by gateways in the store itself.');
    expect(found.findings).toMatchObject([
      {
        code: 'stored_orphaned',
        message: 'Stored at 2026-01-05 12:00 UTC: 1,204 edges of members, which would stay and be out of reach.',
      },
    ]);
    expect(judge(removal, counted(1)).findings[0]?.message).toContain(' 1 edge of members, ');
    // What was written after the count may be there: nobody is told that nothing is.
    const written = judge(removal, counted(0, 3)).findings[0]?.message;
    expect(written).toContain(': 0 edges of members, and up to 3 written since, which would stay');
    expect(judge(removal, counted(0))).toMatchObject({
      findings: [],
      summary: expect.stringContaining('Nothing is stored'),
    });
  });

  it('is not looked for where a limit grows', () => {
    expect(judge(edited('objectType', 'Message', { maxBytes: 100_000 }))).toEqual({
      findings: [],
      summary: 'Nothing here leaves stored data behind.',
    });
  });
});

it('what the slow checks find is exactly the golden file', async () => {
  const edits = [
    edited('edgeType', 'messages', { inverse: undefined, listCap: 100, maxEdges: 5 }),
    edited('edgeType', 'inConversation', { inverse: 'messages' }),
    edited('objectType', 'Message', { maxBytes: 1_400_000, classification: 'restricted' }),
    copied('objectType', 'Message', 'Reaction'),
    { kind: 'objectType', name: 'User', document: null } as const,
    edited('tenant', 'chat', {
      quotas: { readsPerSecond: 300, writesPerSecond: 200, ruPerSecond: 10_000, inFlight: 200 },
    }),
  ];
  const { touched, checked } = subject(edits);
  const costs: OperationCost[] = [
    { type: 'messages', operation: 'edge.put', requests: 12_000, ru: 480_000 },
    { type: 'Message', operation: 'object.get', requests: 37, ru: 40 },
    { type: 'User', operation: 'object.get', requests: 900, ru: 900 },
  ];
  const busiest = { tenant: 'chat', objectId: 'c1', writes: 12, requestId: 'req_put' };
  const stored = new Map([
    ['messages', { stored: null, writes: 12_000, isWhole: true, busiest }],
    ['User', { stored: null, writes: 3, isWhole: true, busiest: null }],
  ]);
  const span = { atMs: 0, reads: 4_600, writes: 10, ru: 4_600 };
  const judged = {
    traffic: judgeTraffic(touched, checked, {
      uses: [use('Message', 900), use('User', 12)],
      kept: [kept('object.read', 3), kept('object.read', 4, { type: 'Reaction', wasForbidden: true })],
    }),
    quotas: {
      summary: '',
      findings: judgeQuotas(touched, new Map([['chat', { spans: [span], sampleAt: () => 'req_busy' }]])),
    },
    cost: judgeCost(touched, { costs, days: 30 }),
    stored: judgeStored(touched, stored),
  };
  const lines = Object.entries(judged).flatMap(([section, { summary, findings }]) => [
    `# ${section}: ${summary}`,
    ...findings.map(
      ({ severity, code, kind, name, path, message, example, href }) =>
        `${severity} ${code} · ${kind} ${name}${path === '' ? '' : ` · ${path}`}\n  ${message}\n  ${example ?? '-'} ${href ?? ''}`,
    ),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../golden/compile/judged.txt');
});

it('every code of the table belongs to a part of the verdict and says what it finds', () => {
  for (const { about, section } of Object.values(RULES)) {
    expect(about).toMatch(/\.$/);
    expect(section).not.toBe('');
  }
});
