import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase } from '#server/db/client.ts';
import { parseEnv } from '#server/env.ts';
import { readSigner } from '#server/publication/signer.ts';
import { seed } from './seed.ts';

/**
 * Run at every start with the console's environment (`node --conditions=react-server server/seed/main.ts`), after the
 * migrations. Prints nothing when all is well.
 */
async function main(): Promise<void> {
  const env = parseEnv(process.env);
  const db = createDatabase(env.databaseUrl, { maxConnections: 1 });
  try {
    await seed({
      db,
      signer: await readSigner(env.signingKeyFile),
      nowMs: Date.now(),
      gatewayToken: env.gatewayTokenFile === undefined ? undefined : readFileSync(env.gatewayTokenFile, 'utf8').trim(),
      hasDemoUsers: env.isEmbedded,
      keepKey: (key) => {
        writeFileSync(join(env.homeFolder, 'demo-key'), `${key}\n`, { mode: 0o600, flush: true });
      },
    });
  } finally {
    await db.$disconnect();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
