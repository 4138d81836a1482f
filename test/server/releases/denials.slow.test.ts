import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditRow } from '#gateway/contract/audit.ts';
import { takeAudit } from '#server/audit/take-shipment.ts';
import { REFUSALS_KEPT_DAYS, ReleaseDenials } from '#server/contract/denials.ts';
import { readDenials } from '#server/releases/read-denials.ts';
import { createKey } from '#server/tenants/create-key.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { copied, edited, policy } from '#test/server/compile/fixture.ts';
import { refusal, START_MS, testConsole } from '#test/server/console.ts';
import { auditRowOf } from '#test/support/shipments.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);

const REVIEWERS = { objectType: 'bo', edgeType: 'bo', policy: 'sam', principal: 'sam', tenant: 'olga' } as const;
const published = async (...edits: Parameters<typeof acts.approved>[0]) => {
  const reviewers = new Set(edits.map(({ kind }) => REVIEWERS[kind]));
  return (await acts.publish('ana', await acts.approved(edits, [...reviewers]))).release;
};
const denials = async (number: number, who = 'sam') =>
  ReleaseDenials.parse(await readDenials(await console.as(who), { number }));
const denied = async (number: number) =>
  (await denials(number)).denials.map(({ principal, type, requests }) => `${principal} ${type} ×${requests}`);

let streams = 0;
/** Ships refusals as a gateway does, each row standing for `count` requests. */
async function refused(release: number, ...rows: readonly Partial<AuditRow>[]): Promise<void> {
  streams += 1;
  const shipment = {
    stream: `gw-a/0/${streams}`,
    from: 1,
    rows: rows.map((row, at) =>
      auditRowOf(at + 1, START_MS + streams * 1_000 + at, { release, requestId: `req_${streams}_${at}`, ...row }),
    ),
  };
  // A reply that is lost makes the gateway send it again.
  for (let sent = 0; sent < 2; sent += 1) await takeAudit({ gateway: 'gw-a', db, nowMs: START_MS }, shipment);
}

const forbidding = (name: string, principal: string, type = 'Message') =>
  policy(
    name,
    `forbid (principal == Service::"${principal}", action == Action::"object.read", resource == ObjectType::"${type}");`,
  );

const first = await published(
  copied('tenant', 'chat', 'search', { ownerTeam: 'platform' }),
  copied('principal', 'chat-api', 'search-api', { tenant: 'search', ownerTeam: 'platform' }),
  copied('principal', 'chat-api', 'reports'),
  copied('objectType', 'Message', 'Reaction'),
);
const stranger = { principal: 'search-api', tenant: 'chat' };
await refused(first, { ...stranger, count: 40 });
const forbid = await published(forbidding('no-reports', 'reports'));

describe('a release that forbids one client', () => {
  it('lists that client and not the denials it had before', async () => {
    await refused(
      forbid,
      { principal: 'reports', policy: 'no-reports', count: 4 },
      { principal: 'reports', policy: 'no-reports' },
      { ...stranger, count: 7 },
    );
    const seen = await denials(forbid);
    expect(seen).toMatchObject({ base: first, isWhole: true, isForgotten: false, refusedBefore: 1, hiddenTenants: 0 });
    const ctx = await console.as('sam');
    const later = { ...ctx, nowMs: ctx.nowMs + (REFUSALS_KEPT_DAYS + 1) * 86_400_000 };
    expect((await readDenials(later, { number: forbid })).isForgotten).toBe(true);
    expect(seen.total).toEqual({ denials: 1, principals: 1, requests: 5 });
    expect(seen.denials).toMatchObject([
      {
        ...{ principal: 'reports', actorKind: 'service', tenant: 'chat', type: 'Message', kind: 'objectType' },
        ...{ operations: ['object.get'], code: 'forbidden', policy: 'no-reports', permittedBy: ['team-owns-type'] },
        ...{ requests: 5, until: null, requestId: `req_${streams}_1` },
        ...{ firstMs: START_MS + streams * 1_000, lastMs: START_MS + streams * 1_000 + 1 },
      },
    ]);
  });

  it('counts what is refused under later releases too, which are not its cause', async () => {
    await createKey(await console.as('ana'), { name: 'reports', label: 'Another', expiresInDays: null });
    const later = (await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } })).number;
    expect(later).toBeGreaterThan(forbid);
    await refused(later, { principal: 'reports', policy: 'no-reports', count: 10 });
    expect(await denied(forbid)).toEqual(['reports Message ×15']);
    expect(await denials(later)).toMatchObject({ denials: [], refusedBefore: 1 });
  });

  it('tells it to those who may see the traffic', async () => {
    await db.user.create({
      data: { id: 'eve', issuer: 't', subject: 'e', name: 'Eve', email: '', roles: ['engineer'] },
    });
    expect(await denials(forbid, 'eve')).toMatchObject({ denials: [], refusedBefore: 0, hiddenTenants: 1 });
    expect((await denials(forbid, 'ana')).denials).toHaveLength(1);
  });

  it('stops counting with the release that permits it again; a later one that forbids it anew has its own', async () => {
    const undo = await published({ kind: 'policy', name: 'no-reports', document: null });
    const again = await published(forbidding('no-reports-again', 'reports'));
    await refused(again, { principal: 'reports', policy: 'no-reports-again', count: 3 });
    expect((await denials(forbid)).denials).toMatchObject([{ requests: 15, until: undo }]);
    expect(await denied(undo)).toEqual([]);
    expect(await denied(again)).toEqual(['reports Message ×3']);
  });
});

describe('what a release can be the cause of', () => {
  it('a removed type, a permit that is gone, and an edge type, by what was asked for', async () => {
    const opened = await published(
      policy(
        'search-reads',
        'permit (principal == Service::"search-api", action == Action::"edge.read", resource == EdgeType::"messages");',
      ),
    );
    const closed = await published(
      { kind: 'policy', name: 'search-reads', document: null },
      { kind: 'objectType', name: 'Reaction', document: null },
    );
    const edge = { ...stranger, type: 'Conversation', edgeType: 'messages' };
    await refused(
      closed,
      { ...edge, operation: 'edge.list' },
      { ...edge, operation: 'edge.count' },
      { ...edge, operation: 'edge.put' },
      { type: 'Reaction', code: 'unknown_type', count: 9 },
      { type: 'Nonsense', code: 'unknown_type', count: 9 },
      { type: 'Message', code: 'quota_exceeded', count: 9 },
      { principal: null, keyId: null, code: 'unauthenticated', count: 9 },
    );
    expect(opened).toBe(closed - 1);
    expect((await denials(closed)).denials).toMatchObject([
      { principal: 'chat-api', type: 'Reaction', code: 'unknown_type', policy: null, requests: 9 },
      {
        ...{ principal: 'search-api', type: 'messages', kind: 'edgeType', operations: ['edge.count', 'edge.list'] },
        ...{ requests: 2, policy: null, permittedBy: ['search-reads'] },
      },
    ]);
  });

  it('a change of an edge type, when all of it that is refused was permitted', async () => {
    const release = await published(
      policy(
        'no-moves',
        'forbid (principal == Service::"chat-api", action == Action::"edge.write", resource == EdgeType::"members");',
      ),
    );
    const move = {
      type: 'Conversation',
      edgeType: 'members',
      operation: 'edge.changeType',
      policy: 'no-moves',
    } as const;
    await refused(release, move);
    await refused(release, { ...stranger, ...move });
    expect(await denied(release)).toEqual(['chat-api members ×1']);
  });
});

describe('what served before', () => {
  it('is nothing for the first release, and a release that does not exist is refused', async () => {
    expect(await denials(1)).toMatchObject({ base: null, denials: [] });
    expect((await refusal(denials(4_711))).code).toBe('not_found');
  });

  it('leaves out releases that no gateway had live, and those that were ended on their way out', async () => {
    const good = await published(edited('objectType', 'User', { description: 'Live everywhere.' }));
    const halted = await published(forbidding('halted', 'chat-api'));
    const rejected = await published(forbidding('rejected', 'chat-api', 'User'));
    const newest = await published(edited('objectType', 'User', { description: 'Live again.' }));
    const live = { firstLiveAt: new Date(START_MS) };
    await db.release.updateMany({ where: { number: { in: [good, halted, newest] } }, data: live });
    await db.rollout.create({
      data: {
        ...{ releaseNumber: halted, baseNumber: good, stages: [['gw-a']], stage: 1, state: 'ended', turns: [] },
        ...{ promotes: 'by hand', afterSeconds: 60, narrows: true },
        ...{ startedAt: new Date(START_MS), stageAt: new Date(START_MS), endedAt: new Date(START_MS) },
      },
    });
    expect((await denials(halted)).base).toBe(good);
    expect((await denials(rejected)).base).toBe(good);
    expect((await denials(newest)).base).toBe(good);
    await refused(newest, { policy: 'halted' }, { type: 'User', policy: 'rejected' });
    expect(await denied(newest)).toEqual(['chat-api User ×1', 'chat-api Message ×1']);
  });
});

it('the migration counts what the log holds already as shipments do', async () => {
  const counts = () =>
    db.refusalCount.findMany({
      orderBy: [{ release: 'asc' }, { principal: 'asc' }, { operation: 'asc' }, { type: 'asc' }],
    });
  const shipped = await counts();
  const file = 'prisma/migrations/20261130009930_refusal_counts/migration.sql';
  const fill = /INSERT INTO[\s\S]*/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  await db.$executeRaw`TRUNCATE refusal_count`;
  await db.$executeRawUnsafe(fill);
  expect(await counts()).toEqual(shipped);
  expect(shipped.length).toBeGreaterThan(5);
});
