import type { PoolConfig } from 'pg';

/** The parts of a Postgres URL, apart, so that the database can be replaced without the URL overruling it. */
export type Connection = PoolConfig & { readonly host: string; readonly port: number; readonly database: string };

/**
 * Takes a connection string apart. `pg` prefers a connection string over the fields beside it, which turned a session
 * meant for the shadow database into one on the real database; with discrete fields that cannot happen.
 */
export function parseConnection(connectionString: string): Connection {
  const url = new URL(connectionString);
  const sslMode = url.searchParams.get('sslmode');
  return {
    host: decodeURIComponent(url.searchParams.get('host') ?? url.hostname).replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    connectionTimeoutMillis: 10_000,
    ...(sslMode === null || sslMode === 'disable' ? {} : { ssl: { rejectUnauthorized: sslMode.startsWith('verify') } }),
    // One session that stays open: advisory locks and SET belong to a session, not to a pool.
    max: 1,
    idleTimeoutMillis: 0,
  };
}

/** The schema that Prisma works in, from the URL's own parameter. */
export function schemaOf(connectionString: string): string {
  return new URL(connectionString).searchParams.get('schema') ?? 'public';
}
