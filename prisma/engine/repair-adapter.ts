import type { PrismaPg } from '@prisma/adapter-pg';
import {
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import { z } from 'zod';

const CHAR_OID = 18;
const TEXT_OID = 25;

type Field = { readonly name: string; readonly dataTypeID: number };
type PgAdapter = Awaited<ReturnType<PrismaPg['connect']>>;
type RawResult = { readonly fields: readonly Field[]; readonly rows: readonly unknown[] };
type PerformIo = (query: SqlQuery) => Promise<RawResult>;

const functionSchema = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function');

/** The private methods of @prisma/adapter-pg 7.10 that the repairs lean on. Another shape means another version. */
const innardsSchema = z.looseObject({ performIO: functionSchema, onError: functionSchema });

/**
 * Makes the adapter fit for migrations. It maps the type `"char"` (oid 18), which the engine's introspection reads,
 * and sends a script whole, as one simple query: split at semicolons, function bodies break and a failure leaves half.
 */
export function repairAdapter(adapter: PgAdapter): SqlDriverAdapter {
  const innards = innardsSchema.parse(adapter);
  repairCharColumns(adapter);
  adapter.executeScript = async (script: string) => {
    try {
      await adapter.underlyingDriver().query(script);
    } catch (error) {
      Reflect.apply(innards.onError, adapter, [error]);
    }
  };
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolationLevel) => {
    const transaction = await startTransaction(isolationLevel);
    repairCharColumns(transaction);
    return transaction;
  };
  return adapter;
}

function repairCharColumns(queryable: SqlQueryable): void {
  const { performIO } = innardsSchema.parse(queryable);
  const perform: PerformIo = (query) => Reflect.apply(performIO, queryable, [query]) as Promise<RawResult>;
  const queryRaw = queryable.queryRaw;
  queryable.queryRaw = async (query: SqlQuery): Promise<SqlResultSet> => {
    let charColumns: readonly number[] = [];
    // The original reads through this view, which shows it "char" as text; the true type is put back afterwards.
    const view = Object.create(queryable, {
      performIO: {
        value: async (inner: SqlQuery) => {
          const result = await perform(inner);
          charColumns = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []));
          return { ...result, fields: result.fields.map(showAsText) };
        },
      },
    });
    const result = await queryRaw.call(view, query);
    const columnTypes: ColumnType[] = result.columnTypes.map((type, index) =>
      charColumns.includes(index) ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes };
  };
}

function showAsText(field: Field): Field {
  return field.dataTypeID === CHAR_OID ? { name: field.name, dataTypeID: TEXT_OID } : field;
}
