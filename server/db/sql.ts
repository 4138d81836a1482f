import 'server-only';
import { Prisma } from '#prisma/client/client.ts';

/** A piece of SQL with its parameters, to be put into `$queryRaw`. */
export type Sql = Prisma.Sql;

/** Makes a piece from a template; every `${…}` becomes a parameter or, when it is a piece itself, part of the text. */
export const sql = Prisma.sql;

/** Pieces with `separator` between them; at least one. */
export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return Prisma.join([...parts], separator);
}

/** Nothing. */
export const emptySql: Sql = Prisma.empty;
