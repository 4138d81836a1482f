import 'server-only';
import { createDatabase, type Database } from '#server/db/client.ts';
import { createListener, type Listener } from '#server/db/listen.ts';
import { type ConsoleEnv, parseEnv } from '#server/env.ts';
import { readSigner, type Signer } from '#server/publication/signer.ts';

/** What one console process shares among all requests. */
export interface Installation {
  readonly env: ConsoleEnv;
  readonly db: Database;
  readonly signer: Signer;
  /** Hears what every process of the console changes. Connects at its first subscriber. */
  readonly listener: Listener;
  readonly now: () => number;
}

/**
 * The process's installation, made at the first request and kept. It hangs on globalThis because Next loads a module
 * once per bundle (and again after each edit in development), and every copy would open a pool of its own.
 */
export function installation(): Promise<Installation> {
  const shared: typeof globalThis & { habitat?: Promise<Installation> } = globalThis;
  shared.habitat ??= open().catch((error: unknown) => {
    // A wrong environment or an unreadable key is tried again at the next request, not remembered for ever.
    delete shared.habitat;
    throw error;
  });
  return shared.habitat;
}

async function open(): Promise<Installation> {
  const env = parseEnv(process.env);
  const signer = await readSigner(env.signingKeyFile);
  return {
    env,
    db: createDatabase(env.databaseUrl),
    signer,
    listener: createListener(env.databaseUrl),
    now: Date.now,
  };
}
