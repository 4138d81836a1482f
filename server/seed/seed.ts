import 'server-only';
import { createHash, randomUUID } from 'node:crypto';
import { appendAudit } from '#server/audit/append.ts';
import type { Database, Tx } from '#server/db/client.ts';
import { withTransaction } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { lockPublishing, publishRelease } from '#server/publication/publish-release.ts';
import type { Signer } from '#server/publication/signer.ts';
import { newKey } from '#server/tenants/new-key.ts';
import { EXAMPLE_DEFINITIONS, EXAMPLE_PEOPLE, EXAMPLE_PRINCIPAL, EXAMPLE_TEAMS } from './example.ts';

export interface SeedInput {
  readonly db: Database;
  readonly signer: Signer;
  readonly nowMs: number;
  /** The gateway's machine credential as gateways send it; undefined when this installation makes its own. */
  readonly gatewayToken: string | undefined;
  /** Demo users for one-click sign-in. */
  readonly hasDemoUsers: boolean;
  /**
   * Keeps the example's key where its owner can read it. Called inside the transaction that publishes it, so that a key
   * that could not be kept is not published either.
   */
  readonly keepKey: (key: string) => void;
}

/** The author of what comes with the installation. */
const HABITAT = { id: 'habitat', name: 'Habitat' };

/**
 * Brings a database to where an installation starts: the gateway's credential and the signing key's public half, each time
 * anew when they changed, and, in an empty database, the example, published as release 1. Running it again changes nothing.
 */
export async function seed(input: SeedInput): Promise<void> {
  await withTransaction(input.db, async (tx) => {
    // Two starters at once: the second waits here, then finds everything in place.
    await lockPublishing(tx);
    await healSigningKey(tx, input);
    await healGatewayToken(tx, input);
    const isEmpty = (await tx.release.count()) === 0 && (await tx.team.count()) === 0;
    if (isEmpty) await seedExample(tx, input);
  });
}

async function healSigningKey(tx: Tx, { signer, nowMs }: SeedInput): Promise<void> {
  await tx.signingKey.upsert({
    where: { kid: signer.kid },
    update: {},
    create: { kid: signer.kid, publicJwk: dbJsonValue(signer.publicJwk), createdAt: new Date(nowMs) },
  });
}

async function healGatewayToken(tx: Tx, { gatewayToken, nowMs }: SeedInput): Promise<void> {
  if (gatewayToken === undefined) return;
  const secretSha256 = createHash('sha256').update(gatewayToken).digest('hex');
  await tx.machineToken.upsert({
    where: { secretSha256 },
    // A revoked one stays revoked, whatever the file still says.
    update: {},
    create: {
      id: randomUUID(),
      name: 'gateways of this installation',
      scope: 'gateway',
      secretSha256,
      createdAt: new Date(nowMs),
    },
  });
}

async function seedExample(tx: Tx, input: SeedInput): Promise<void> {
  const now = new Date(input.nowMs);
  await tx.team.createMany({ data: EXAMPLE_TEAMS.map((team) => ({ ...team, createdAt: now })) });
  if (input.hasDemoUsers) await seedPeople(tx, now);
  const made = newKey();
  await tx.principalKey.create({
    data: {
      id: made.id,
      principal: EXAMPLE_PRINCIPAL,
      label: 'Demo key',
      secretSha256: made.secretSha256,
      createdAt: now,
      createdById: HABITAT.id,
      createdByName: HABITAT.name,
    },
  });
  const { number } = await publishRelease(tx, input, {
    edits: EXAMPLE_DEFINITIONS,
    cause: 'First start: the example',
    reason: 'The example that every installation starts with.',
    by: HABITAT,
    author: HABITAT,
    approvedBy: null,
    selfApproved: false,
    changeNumber: null,
    emergency: false,
  });
  const by = {
    actor: { ...HABITAT, roles: [], kind: 'system' },
    requestId: `seed ${randomUUID()}`,
    nowMs: input.nowMs,
  };
  await appendAudit(tx, by, {
    did: 'published',
    what: `r${number}: the example`,
    href: `/releases/${number}`,
    release: number,
    because: 'The example that every installation starts with.',
  });
  input.keepKey(made.key);
}

async function seedPeople(tx: Tx, now: Date): Promise<void> {
  await tx.user.createMany({
    data: EXAMPLE_PEOPLE.map(({ id, name, about, roles }, index) => ({
      id,
      issuer: 'demo',
      subject: id,
      name,
      email: `${id}@example.com`,
      roles: [...roles],
      demoAbout: about,
      // A millisecond apart: lists show them in the example's order.
      createdAt: new Date(now.getTime() + index),
    })),
  });
  await tx.membership.createMany({ data: EXAMPLE_PEOPLE.map(({ id, team }) => ({ userId: id, team })) });
}
