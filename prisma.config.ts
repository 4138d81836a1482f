import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig } from 'prisma/config';

const root = import.meta.dirname;

// Prisma downloads its native engine from a host that may be out of reach; ours comes with npm.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= join(root, 'prisma', 'engine', 'schema-engine');

export default defineConfig({
  schema: join(root, 'prisma', 'schema.prisma'),
  migrations: { path: join(root, 'prisma', 'migrations') },
  datasource: { url: process.env.DATABASE_URL ?? embeddedUrl() ?? 'postgresql://habitat@127.0.0.1:5432/habitat' },
});

/** The PostgreSQL that `npm start` keeps under HABITAT_HOME; it runs as long as Habitat does. */
function embeddedUrl(): string | undefined {
  const folder = resolve(root, process.env.HABITAT_HOME ?? '.habitat', 'postgres');
  try {
    const password = readFileSync(join(folder, 'password'), 'utf8').trim();
    const port = readFileSync(join(folder, 'port'), 'utf8').trim();
    return `postgresql://habitat:${password}@127.0.0.1:${port}/habitat`;
  } catch {
    return undefined;
  }
}
