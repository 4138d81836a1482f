import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { Role } from '#server/contract/people.ts';
import { createDatabase, type Database } from '#server/db/client.ts';
import { createListener, type Listener } from '#server/db/listen.ts';
import { parseEnv } from '#server/env.ts';
import type { Installation } from '#server/http/installation.ts';
import { createSigner } from '#server/publication/signer.ts';
import { testDatabaseUrl } from './postgres.ts';

/** A console process as far as verbs see it, on a database and a clock of the test's own. */
export interface BareConsole {
  readonly db: Database;
  readonly listener: Listener;
  readonly installation: Installation;
  /** The clock; a test moves it. */
  readonly clock: { nowMs: number };
  /** A gateway's bearer token that the console knows. */
  readonly gatewayToken: string;
  ctxOf(person: TestPerson): Ctx;
}

export interface TestPerson {
  readonly id?: string;
  readonly name?: string;
  readonly roles?: readonly Role[];
  readonly teams?: readonly string[];
}

/** Monday noon, far from every midnight. */
export const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);

/** Opens a console on a fresh database; everything is closed when the test file ends. */
export async function openBareConsole(): Promise<BareConsole> {
  const url = await testDatabaseUrl();
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = await createSigner(PrivateJwk.parse(privateKey.export({ format: 'jwk' })));
  const db = createDatabase(url, { maxConnections: 5 });
  const listener = createListener(url);
  const clock = { nowMs: NOON };
  const gatewayToken = randomBytes(32).toString('base64url');
  afterAll(async () => {
    await listener.close();
    await db.$disconnect();
  });
  await db.machineToken.create({
    data: {
      id: 'gateways',
      name: 'gateways',
      scope: 'gateway',
      secretSha256: createHash('sha256').update(gatewayToken).digest('hex'),
      createdAt: new Date(NOON),
    },
  });
  const env = parseEnv({ DATABASE_URL: url, NEXTAUTH_SECRET: 'a secret of the test, long enough' });
  return {
    db,
    listener,
    clock,
    gatewayToken,
    installation: { env, db, signer, listener, now: () => clock.nowMs },
    ctxOf: (person) => ({
      actor: {
        id: person.id ?? 'ana',
        name: person.name ?? 'Ana Ruiz',
        email: `${person.id ?? 'ana'}@example.test`,
        roles: person.roles ?? [],
        teams: person.teams ?? [],
      },
      requestId: `creq_${randomBytes(6).toString('hex')}`,
      db,
      nowMs: clock.nowMs,
      signer,
      env,
      listener,
      signal: new AbortController().signal,
    }),
  };
}

/** Writes a published release as `releases/publish` leaves it, without definitions. */
export async function addRelease(db: Database, number: number, publishedMs: number, minGatewayVersion = '0.1.0') {
  const sha256 = createHash('sha256').update(`release ${number}`).digest('hex');
  const release = {
    number,
    epoch: 1,
    sha256,
    previous: null,
    createdAt: new Date(publishedMs),
    byId: 'ana',
    byName: 'Ana Ruiz',
    cause: `∆${number}`,
    reason: 'for the test',
    formatVersion: 1,
    minGatewayVersion,
    signingKeyId: 'test',
    header: { number, sha256 },
  };
  await db.release.create({ data: release });
  return { epoch: 1, number, sha256 };
}

/** Writes the published definition of a tenant. */
export async function addTenant(db: Database, name: string, ownerTeam: string, targetP99Ms?: number): Promise<void> {
  await db.definition.create({
    data: {
      kind: 'tenant',
      name,
      ownerTeam,
      description: `Tenant ${name}`,
      document: {
        ownerTeam,
        displayName: name,
        ...(targetP99Ms === undefined ? {} : { targetP99Ms }),
        quotas: { readsPerSecond: 500, writesPerSecond: 200, ruPerSecond: 10_000, inFlight: 200 },
        mode: 'enforce',
      },
      revision: 1,
      releaseNumber: 1,
      changedAt: new Date(NOON),
      changedById: 'ana',
      changedByName: 'Ana Ruiz',
      summary: '',
    },
  });
}

const PrivateJwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() });
