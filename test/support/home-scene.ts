import type { Database } from '#server/db/client.ts';
import { NOON, type TestPerson } from './bare-console.ts';

export const ANA: TestPerson = { id: 'ana', name: 'Ana Ruiz', roles: ['engineer'], teams: ['chat'] };
export const BO: TestPerson = { id: 'bo', name: 'Bo Lind', roles: ['engineer'], teams: ['chat'] };
export const SAM: TestPerson = { id: 'sam', name: 'Sam Lee', roles: ['security'] };
export const OLGA: TestPerson = { id: 'olga', name: 'Olga Ek', roles: ['operator'] };

/** Empties what Home and the inbox read, and writes team chat with its people. */
export async function resetScene(db: Database): Promise<void> {
  await db.$executeRaw`TRUNCATE users, team, membership, change, change_edit, review, inbox_item, release, gateway, gateway_ack,
    definition, definition_revision, setting, latency_bucket, telemetry_shipment, request_record, audit_event CASCADE`;
  await db.team.create({ data: { name: 'chat', displayName: 'Chat team' } });
  for (const { id = '', name = '', roles = [], teams = [] } of [ANA, BO, SAM, OLGA]) {
    const memberships = { create: teams.map((team) => ({ team })) };
    await db.user.create({
      data: { id, issuer: 'test', subject: id, name, email: `${id}@example.test`, roles: [...roles], memberships },
    });
  }
}

/** Writes a change of Ana's as its verbs leave it; `voided` adds an approval that an edit voided. */
export async function addChange(
  db: Database,
  number: number,
  state: string,
  more: { readonly voided?: boolean } = {},
): Promise<void> {
  const at = new Date(NOON - number * 60_000);
  const document = { ownerTeam: 'chat', description: 'A reaction.' };
  await db.change.create({
    data: {
      number,
      title: `Change ${number}`,
      reason: '',
      state,
      authorId: 'ana',
      authorName: 'Ana Ruiz',
      createdAt: at,
      updatedAt: at,
      submittedAt: at,
      contentHash: 'h',
      edits: {
        create: {
          kind: 'objectType',
          name: 'Reaction',
          document,
          baseRevision: 0,
          version: 1,
          updatedAt: at,
          updatedById: 'ana',
          updatedByName: 'Ana Ruiz',
          writers: ['ana'],
        },
      },
    },
  });
  if (more.voided === true) await addReview(db, number, { voidedAt: new Date(NOON) });
}

/** Bo approves a change of Ana's: its one need is met. */
export async function approveChange(db: Database, number: number): Promise<void> {
  await addReview(db, number, { contentHash: 'h' });
  await db.change.update({ where: { number }, data: { state: 'approved' } });
}

async function addReview(db: Database, number: number, more: object): Promise<void> {
  const at = new Date(NOON - number * 60_000);
  const by = { reviewerId: 'bo', reviewerName: 'Bo Lind', verdict: 'approved', comment: '', self: false };
  const what = { contentHash: 'old', effectHash: 'old', covers: ['team:chat'] };
  await db.review.create({ data: { id: `v${number}`, changeNumber: number, at, ...by, ...what, ...more } });
}

/** Writes a gateway that serves r1 and was heard a second ago. */
export const addGateway = (db: Database, name: string, more: object = {}) =>
  db.gateway.create({
    data: {
      name,
      version: '0.1.0',
      url: 'http://127.0.0.1:4000',
      startedAt: new Date(NOON - 600_000),
      lastHeardAt: new Date(NOON - 1_000),
      servesEpoch: 1,
      servesNumber: 1,
      workers: [],
      auditBacklog: 0,
      storeReachable: true,
      storeMessage: 'answers',
      ...more,
    },
  });

/** Writes a gateway's answer to a release. */
export const addAnswer = (
  db: Database,
  gateway: string,
  state: string,
  release: { number: number; sha256: string },
  reason: string | null = null,
) =>
  db.gatewayAck.create({
    data: {
      gateway,
      epoch: 1,
      number: release.number,
      sha256: release.sha256,
      state,
      at: new Date(NOON - 5_000),
      reason,
      version: '0.1.0',
    },
  });
