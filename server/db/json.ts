import 'server-only';
import { Prisma } from '#prisma/client/client.ts';

/** What a nullable JSON column takes. */
export type DbJson = Prisma.InputJsonValue | typeof Prisma.DbNull;

/** A value as a JSON column stores it; null and undefined become SQL's null. What JSON cannot say is dropped. */
export function dbJson(value: unknown): DbJson {
  return value === undefined || value === null ? Prisma.DbNull : JSON.parse(JSON.stringify(value));
}

/** A value for a JSON column that is never null. */
export function dbJsonValue(value: NonNullable<unknown>): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value));
}

/** A condition on a JSON column: nothing stands at this path. */
export function missingAt(path: readonly string[]): Prisma.JsonFilter {
  return { path: [...path], equals: Prisma.AnyNull };
}
