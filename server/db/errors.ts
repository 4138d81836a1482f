import 'server-only';
import { Prisma } from '#prisma/client/client.ts';
import { ServerError } from '#server/contract/server-error.ts';

/**
 * Turns an error of the database layer into ours; null when it is not one of its errors. The only place that knows
 * Prisma's codes (https://www.prisma.io/docs/orm/reference/error-reference).
 */
export function fromDatabaseError(error: unknown): ServerError | null {
  if (isAway(error)) {
    return new ServerError('database_away', {
      publicMessage: 'The console cannot reach its database. Gateways keep enforcing the release they serve.',
      detail: messageOf(error),
      cause: error,
    });
  }
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  switch (error.code) {
    // Unique constraint; write conflict or deadlock; a record that an update expected is gone.
    case 'P2002':
    case 'P2034':
    case 'P2025':
      return new ServerError('conflict', {
        publicMessage: 'Somebody changed the same thing at this moment. Nothing was overwritten; look again.',
        detail: error.message,
        cause: error,
      });
    default:
      return null;
  }
}

/** Connection refused, timed out, authentication, unknown database, too many clients, connection closed, pool timeout. */
const AWAY = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2037',
  'P2028',
]);
const AWAY_DRIVER = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // The same in the words of Prisma's driver adapter, which raw queries carry instead of a code.
  'DatabaseNotReachable',
  'DatabaseDoesNotExist',
  'DatabaseAccessDenied',
  'AuthenticationFailed',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]);

function isAway(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return AWAY.has(error.code) || (error.code === 'P2010' && driverCodeOf(error.meta) !== undefined);
  }
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && AWAY_DRIVER.has(code)) return true;
  // The pool of `pg` names these two by words alone.
  return /timeout exceeded when trying to connect|Connection terminated/.test(messageOf(error));
}

/** A raw query's failure carries the driver's own code two levels down. */
function driverCodeOf(meta: Record<string, unknown> | undefined): string | undefined {
  const text = JSON.stringify(meta ?? {});
  return [...AWAY_DRIVER].find((code) => text.includes(`"${code}"`));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
