import type { Json, JsonObject } from '#gateway/emulator/json.ts';
import { databaseRid } from '#gateway/emulator/resource-ids.ts';
import type { DatabaseRow } from './catalog.ts';
import { type Container, RANGE_ID } from './container.ts';

/** A database in the service's shape. */
export function renderDatabase(row: DatabaseRow): JsonObject {
  const rid = databaseRid(row.num);
  return {
    id: row.id,
    _rid: rid,
    _self: `dbs/${rid}/`,
    _etag: `"${row.ts.toString(16).padStart(8, '0')}-0000-0000-0000-000000000000"`,
    _colls: 'colls/',
    _users: 'users/',
    _ts: row.ts,
  };
}

/** A container in the service's shape. */
export function renderContainer(container: Container): JsonObject {
  const { definition, rid, ts } = container;
  return {
    id: container.id,
    indexingPolicy: definition.indexingPolicy as unknown as Json,
    partitionKey: definition.partitionKey as unknown as Json,
    ...(definition.defaultTtl === undefined ? {} : { defaultTtl: definition.defaultTtl }),
    ...(definition.uniqueKeys.length === 0
      ? {}
      : { uniqueKeyPolicy: { uniqueKeys: definition.uniqueKeys as unknown as Json } }),
    conflictResolutionPolicy: {
      mode: 'LastWriterWins',
      conflictResolutionPath: '/_ts',
      conflictResolutionProcedure: '',
    },
    geospatialConfig: { type: 'Geography' },
    _rid: rid,
    _ts: ts,
    _self: container.self,
    _etag: `"${ts.toString(16).padStart(8, '0')}-0000-0000-0000-${container.num.toString(16).padStart(12, '0')}"`,
    _docs: 'docs/',
    _sprocs: 'sprocs/',
    _triggers: 'triggers/',
    _udfs: 'udfs/',
    _conflicts: 'conflicts/',
  };
}

/** The partition key ranges of a container; one, over the whole space of hashes. */
export function renderRanges(container: Container, lsn: number): readonly JsonObject[] {
  return [
    {
      _rid: container.rid,
      id: RANGE_ID,
      _etag: `"0000-${container.num}"`,
      minInclusive: '',
      maxExclusive: 'FF',
      ridPrefix: 0,
      _self: `${container.self}pkranges/${RANGE_ID}/`,
      throughputFraction: 1,
      status: 'online',
      parents: [],
      _ts: container.ts,
      lsn,
    },
  ];
}
