import pg from 'pg';
import { LaunchError } from './launch-error.ts';

/** Refuses a DATABASE_URL that cannot work, in one sentence that never shows the password. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new LaunchError(
      'DATABASE_URL is no PostgreSQL address: it looks like postgresql://user:password@host:5432/database.',
    );
  }
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (cause) {
    throw new LaunchError(explain(cause, new URL(databaseUrl)), { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(cause: unknown, url: URL): string {
  const place = `${url.hostname}:${url.port || '5432'}`;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1));
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  switch (code) {
    case '28P01':
    case '28000':
      return `DATABASE_URL: the PostgreSQL at ${place} refuses user "${user}" with this password.`;
    case '3D000':
      return `DATABASE_URL: the PostgreSQL at ${place} has no database "${database}": make it, or name another.`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return `DATABASE_URL: no PostgreSQL answers at ${place} (${code}).`;
    default:
      return `DATABASE_URL: the PostgreSQL at ${place} cannot be used (${message.split('\n')[0]}).`;
  }
}
