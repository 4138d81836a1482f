/**
 * Whatever people do (publish, roll back one or everything, halt, cut off in an emergency, with stages or without), the
 * newest revisions equal the newest release, and a plain model of documents agrees with both.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReleaseHeader } from '#gateway/contract/release.ts';
import { settleChecks } from '#server/changes/checks/settle-checks.ts';
import { moveOn } from '#server/changes/move-on.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import { haltByHand, promoteWith } from '#server/releases/move-rollout.ts';
import { createKey } from '#server/tenants/create-key.ts';
import { revokeKey } from '#server/tenants/revoke-key.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { copied } from '#test/server/compile/fixture.ts';
import { START_MS, testConsole } from '#test/server/console.ts';
import { releaseActs } from './release-acts.ts';

const console = await testConsole();
const { db } = console;
const changes = changeActs(console);
const releases = releaseActs(console);

const NAMES = ['Alpha', 'Beta', 'Gamma'] as const;
const edit = fc.record({
  name: fc.constantFrom(...NAMES),
  maxBytes: fc.constantFrom(1_000, 2_000, 3_000),
  remove: fc.boolean(),
});
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('publish' as const), edit }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('undo' as const), back: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('return' as const), back: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('emergency' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('halt' as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('promote' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fleet' as const), gateways: fc.constantFrom(0, 2, 5) }) },
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/** Documents of the three types as the newest release holds them, read from its signed sections. */
async function released(): Promise<Record<string, unknown>> {
  const newest = await db.release.findFirstOrThrow({ orderBy: { number: 'desc' } });
  const section = ReleaseHeader.parse(newest.header).sections.find(({ kind }) => kind === 'objectType');
  const { content } = await db.releaseSection.findUniqueOrThrow({ where: { sha256: section?.sha256 ?? '' } });
  const { items } = JSON.parse(new TextDecoder().decode(content)) as { items: { name: string; maxBytes: number }[] };
  return Object.fromEntries(items.filter(isOurs).map(({ name, maxBytes }) => [name, maxBytes]));
}

/** The same from the newest definitions, and from the newest revision of each. */
async function defined(): Promise<Record<string, unknown>> {
  const rows = await db.definition.findMany({ where: { kind: 'objectType', removed: false } });
  return Object.fromEntries(rows.filter(isOurs).map(({ name, document }) => [name, maxBytesOf(document)]));
}
async function revised(): Promise<Record<string, unknown>> {
  const rows = await db.definitionRevision.findMany({ where: { kind: 'objectType' }, orderBy: { revision: 'asc' } });
  const newest = new Map(rows.filter(isOurs).map(({ name, document }) => [name, document]));
  return Object.fromEntries(
    [...newest].filter(([, document]) => document !== null).map(([name, document]) => [name, maxBytesOf(document)]),
  );
}

const isOurs = ({ name }: { name: string }) => (NAMES as readonly string[]).includes(name);
const maxBytesOf = (document: unknown) => (document as { maxBytes: number }).maxBytes;

async function run(step: Act): Promise<void> {
  const newest = await releases.newest();
  const open = await db.rollout.findFirst({ where: { endedAt: null } });
  switch (step.act) {
    case 'publish':
      return publish(step.edit);
    case 'undo':
      return rollBack('undo', Math.max(2, newest - step.back));
    case 'return':
      return rollBack('return', Math.max(1, newest - step.back));
    case 'emergency': {
      const key = await db.principalKey.findFirst({ where: { revokedAt: null } });
      if (key === null) await createKey(await console.as('ana'), { name: 'chat-api', label: 'm', expiresInDays: null });
      else await revokeKey(await console.as('sam'), { id: key.id, reason: 'It leaked.' });
      return;
    }
    case 'halt':
      if (open?.state !== 'rolling') return;
      await haltByHand(await console.as('olga'), { number: open.releaseNumber, stage: open.stage, reason: 'Halt.' });
      return;
    case 'promote':
      return openAllStages();
    case 'fleet':
      return setFleet(step.gateways);
  }
}

/** By hand to the end of the rollout that is open; what waited for it is then published. */
async function openAllStages(): Promise<void> {
  const open = await db.rollout.findFirst({ where: { endedAt: null } });
  const stages = open === null ? 0 : (open.stages as unknown[]).length + 1;
  for (let stage = open?.stage ?? 1; stage <= stages; stage += 1) {
    await promoteWith(moveOn)(await console.as('olga'), { number: open?.releaseNumber ?? 0, stage });
  }
}

async function publish({ name, maxBytes, remove }: { name: string; maxBytes: number; remove: boolean }): Promise<void> {
  const exists = (await defined())[name] !== undefined;
  if (remove && !exists) return;
  const drafted: DraftEdit = remove
    ? { kind: 'objectType', name, document: null }
    : copied('objectType', 'Message', name, { maxBytes });
  const number = await changes.open('ana');
  await changes.save('ana', number, drafted);
  // What a check refuses is refused; that is no matter of this model.
  const isApproved = await approve(number).then(
    () => true,
    () => false,
  );
  if (isApproved) await changes.publishOrQueue('ana', number).catch(ignoreRefusal);
}

async function approve(number: number): Promise<void> {
  await changes.submit('ana', number);
  await settleChecks(await console.as('ana'), number);
  await changes.review('bo', number);
}

async function rollBack(mode: 'undo' | 'return', number: number): Promise<void> {
  // What waits in the queue is published right after it.
  const expected = mode === 'return' && (await db.queuedPublish.count()) === 0 ? await at(number) : null;
  const asked = await releases.rollBack('olga', mode, number).catch(ignoreRefusal);
  if (asked === undefined) return;
  if (asked.change !== null) {
    await settleChecks(await console.as('bo'), asked.change);
    await changes.review('bo', asked.change).catch(ignoreRefusal);
    const done = await changes.publishOrQueue('olga', asked.change).catch(ignoreRefusal);
    if (done === undefined) return;
  }
  if (expected !== null) expect(await defined()).toEqual(expected);
}

/** What a release held, from its own sections. */
async function at(number: number): Promise<Record<string, unknown>> {
  const release = await db.release.findUniqueOrThrow({ where: { number } });
  const section = ReleaseHeader.parse(release.header).sections.find(({ kind }) => kind === 'objectType');
  const { content } = await db.releaseSection.findUniqueOrThrow({ where: { sha256: section?.sha256 ?? '' } });
  const { items } = JSON.parse(new TextDecoder().decode(content)) as { items: { name: string; maxBytes: number }[] };
  return Object.fromEntries(items.filter(isOurs).map(({ name, maxBytes }) => [name, maxBytes]));
}

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof Error && error.name === 'ServerError') return undefined;
  throw error;
}

/** So many gateways that report all the time, as rollouts see them. */
async function setFleet(count: number): Promise<void> {
  await db.gateway.deleteMany({});
  await db.gateway.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      name: `gw-${index}`,
      version: '9.0.0',
      url: 'http://127.0.0.1:4000',
      startedAt: new Date(START_MS),
      lastHeardAt: new Date(START_MS + 3_600_000),
      workers: [],
      auditBacklog: 0,
      storeReachable: true,
      storeMessage: 'answers',
    })),
  });
}

it('the newest revisions equal the newest release after any sequence of acts', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 12 }), async (steps) => {
      for (const step of steps) {
        await run(step);
        const [inRelease, inDefinitions, inRevisions] = [await released(), await defined(), await revised()];
        expect(inDefinitions).toEqual(inRelease);
        expect(inRevisions).toEqual(inRelease);
        expect(await db.rollout.count({ where: { endedAt: null } })).toBeLessThanOrEqual(1);
      }
    }),
    // The same sequences each time, so that what they meet can be counted on.
    { numRuns: 8, seed: 20_260_105, endOnFailure: true },
  );
  const rollbacks = await db.release.findMany({ where: { emergency: true } });
  expect(rollbacks.filter(({ rollback }) => rollback !== null).length).toBeGreaterThan(5);
  expect(await db.rollout.count({ where: { state: 'ended' } })).toBeGreaterThan(0);
  expect(await db.rollout.count({ where: { state: 'done' } })).toBeGreaterThan(0);
  expect(await db.change.count({ where: { emergency: true, state: 'published' } })).toBeGreaterThan(0);
});
