import { exportJWK, generateKeyPair } from 'jose';
import { afterAll } from 'vitest';
import { loadActor } from '#server/auth/read-actor.ts';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { createDatabase, type Database } from '#server/db/client.ts';
import { createListener } from '#server/db/listen.ts';
import { type ConsoleEnv, parseEnv } from '#server/env.ts';
import { createSigner, type Signer } from '#server/publication/signer.ts';
import { seed } from '#server/seed/seed.ts';
import { testDatabaseUrl } from '#test/support/postgres.ts';

/** Noon of the tests' first day. */
export const START_MS = Date.UTC(2026, 0, 5, 12);

export interface TestConsole {
  readonly db: Database;
  readonly env: ConsoleEnv;
  readonly signer: Signer;
  /** The example's key, as kept in the demo-key file. */
  readonly demoKey: string;
  /** What a verb gets when this demo user asks, with their rights of this moment; each call is a second later. */
  as(userId: string): Promise<Ctx>;
}

/** A console of its own over a fresh database with the example in it. Call it at the top of a test file. */
export async function testConsole(variables: Record<string, string> = {}): Promise<TestConsole> {
  const url = await testDatabaseUrl();
  const env = parseEnv({
    DATABASE_URL: url,
    NEXTAUTH_SECRET: 'a secret of forty characters, for tests.',
    HABITAT_EMBEDDED: '1',
    ...variables,
  });
  const db = createDatabase(url, { maxConnections: 4 });
  const signer = await testSigner();
  const listener = createListener(url);
  afterAll(async () => {
    await db.$disconnect();
  });
  let demoKey = '';
  await seed({
    db,
    signer,
    nowMs: START_MS,
    gatewayToken: 'gateway-token-of-the-tests',
    hasDemoUsers: true,
    keepKey: (key) => {
      demoKey = key;
    },
  });
  let seconds = 0;
  return {
    db,
    env,
    signer,
    demoKey,
    as: async (userId) => {
      const actor = await loadActor(db, userId, env.adminGroup);
      if (actor === null) throw new Error(`there is no user ${userId}`);
      seconds += 1;
      const nowMs = START_MS + seconds * 1_000;
      return {
        actor,
        requestId: `creq_${seconds}`,
        db,
        nowMs,
        signer,
        env,
        listener,
        signal: AbortSignal.timeout(60_000),
      };
    },
  };
}

/** A signer with a fresh key. */
export async function testSigner(): Promise<Signer> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { kty, crv, x, d } = await exportJWK(privateKey);
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined || d === undefined) throw new Error('not an Ed25519 key');
  return createSigner({ kty: 'OKP', crv: 'Ed25519', x, d });
}

/** The code of the refusal; fails when the verb did not refuse. */
export async function refusal(act: Promise<unknown>): Promise<ServerError> {
  try {
    await act;
  } catch (error) {
    if (error instanceof ServerError) return error;
    throw error;
  }
  throw new Error('the verb did not refuse');
}
