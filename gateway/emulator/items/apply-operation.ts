import type { Container } from '#gateway/emulator/catalog/container.ts';
import { badRequest, CosmosError, notFound } from '#gateway/emulator/errors.ts';
import { isJsonObject, type JsonObject } from '#gateway/emulator/json.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import { readCharge, writeCharge } from './charge.ts';
import { deleteRow, type ItemRow, isLive, putRow, readRow } from './item-row.ts';
import { checkDepth, checkItemId, checkItemSize } from './limits.ts';
import { partitionKeyOf } from './partition-key.ts';
import type { PartitionGrowth } from './partition-size.ts';
import { applyPatch, type Patch } from './patch.ts';
import { docNumber, etagOf } from './sequence.ts';
import { expiryOf } from './ttl.ts';
import { claimUniqueKeys } from './unique-keys.ts';

/** One operation on one item; batches and single requests run the same. */
export type ItemOperation =
  | { readonly kind: 'create' | 'upsert'; readonly document: unknown; readonly guards: Guards }
  | { readonly kind: 'replace'; readonly id: string; readonly document: unknown; readonly guards: Guards }
  | { readonly kind: 'patch'; readonly id: string; readonly patch: Patch; readonly guards: Guards }
  | { readonly kind: 'read' | 'delete'; readonly id: string; readonly guards: Guards };

export interface Guards {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface OperationResult {
  readonly status: number;
  readonly chargeRu: number;
  readonly row?: ItemRow;
}

/** Where an operation runs: inside a group commit, in one partition, under one sequence number. */
export interface OperationScope {
  readonly store: Store;
  readonly container: Container;
  readonly pk: string;
  readonly nowSeconds: number;
  readonly operation: number;
  /** Taken at the first write of the request, so that a request that only reads leaves no gap. */
  readonly lsn: () => number;
  /** Expired items that are not purged yet are in the way of a create. */
  readonly keepsExpired?: boolean;
  /** Counts what the request adds to its partition. */
  readonly growth: PartitionGrowth;
}

/** Applies one operation. Throws `CosmosError`; the caller's savepoint takes back what was written. */
export function applyOperation(scope: OperationScope, operation: ItemOperation): OperationResult {
  switch (operation.kind) {
    case 'create':
      return create(scope, operation.document);
    case 'upsert':
      return upsert(scope, operation.document, operation.guards);
    case 'read':
      return read(scope, operation.id, operation.guards);
    case 'delete': {
      const row = existing(scope, operation.id, operation.guards);
      // The feed of latest versions leaves deletes out; the number still moves, for session tokens.
      scope.lsn();
      const sizeBytes = Buffer.byteLength(row.body);
      scope.growth.add(-sizeBytes);
      deleteRow(scope.store, scope.container, row.doc);
      return { status: 204, chargeRu: writeCharge(sizeBytes) };
    }
    case 'replace': {
      const document = documentOf(scope, operation.document);
      if (document.id !== operation.id) throw badRequest('The id of the document is not the id of the request.');
      return write(scope, document, existing(scope, operation.id, operation.guards));
    }
    case 'patch': {
      const row = existing(scope, operation.id, operation.guards);
      const document = JSON.parse(row.body) as JsonObject;
      applyPatch(document, operation.patch, scope.container.parseCondition);
      checkPartition(scope, document);
      return write(scope, document, row);
    }
  }
}

function create(scope: OperationScope, body: unknown): OperationResult {
  const document = documentOf(scope, body);
  const stored = find(scope, String(document.id));
  const isTaken = stored !== undefined && (scope.keepsExpired === true || isLive(stored, scope.nowSeconds));
  if (isTaken) throw new CosmosError(409, 'Entity with the specified id already exists in the system.');
  return write(scope, document, stored);
}

function upsert(scope: OperationScope, body: unknown, guards: Guards): OperationResult {
  const document = documentOf(scope, body);
  const stored = find(scope, String(document.id));
  if (stored !== undefined && isLive(stored, scope.nowSeconds)) checkMatch(stored, guards);
  return write(scope, document, stored);
}

function read(scope: OperationScope, id: string, guards: Guards): OperationResult {
  const row = live(scope, id);
  const unchanged = guards.ifNoneMatch === '*' || guards.ifNoneMatch === row.etag;
  return unchanged
    ? { status: 304, chargeRu: 1, row }
    : { status: 200, chargeRu: readCharge(Buffer.byteLength(row.body)), row };
}

function existing(scope: OperationScope, id: string, guards: Guards): ItemRow {
  const row = live(scope, id);
  checkMatch(row, guards);
  return row;
}

function live(scope: OperationScope, id: string): ItemRow {
  const row = find(scope, id);
  if (row === undefined || !isLive(row, scope.nowSeconds)) throw notFound('The item');
  return row;
}

function checkMatch(row: ItemRow, { ifMatch }: Guards): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === row.etag) return;
  throw new CosmosError(412, 'One of the specified pre-condition is not met.');
}

const find = ({ store, container, pk }: OperationScope, id: string): ItemRow | undefined =>
  readRow(store, container, { pk, id });

/** Properties of the service in a body (from an earlier read) are dropped; they are made anew on every write. */
function documentOf(scope: OperationScope, body: unknown): JsonObject {
  if (!isJsonObject(body)) throw badRequest('The body of an item is a JSON object.');
  const { _rid, _self, _etag, _ts, _attachments, _lsn, ...document } = body;
  checkItemId(document.id);
  checkPartition(scope, document);
  return document;
}

function checkPartition({ pk, container }: OperationScope, document: JsonObject): void {
  if (partitionKeyOf(container, document) === pk) return;
  throw badRequest('PartitionKey extracted from document does not match the one specified in the header.', 1001);
}

/** Writes over what is stored under the same key: a live item keeps its row number, an expired one gives it up. */
function write(scope: OperationScope, document: JsonObject, stored: ItemRow | undefined): OperationResult {
  const { store, container, pk, nowSeconds, operation, growth } = scope;
  checkDepth(document);
  const body = JSON.stringify(document);
  const sizeBytes = checkItemSize(body);
  const expires = expiryOf(container.definition.defaultTtl, document.ttl, nowSeconds);
  const replaced = stored !== undefined && isLive(stored, nowSeconds) ? stored : undefined;
  const lsn = scope.lsn();
  const row: ItemRow = {
    doc: replaced?.doc ?? docNumber(lsn, operation),
    id: String(document.id),
    lsn,
    etag: etagOf(container, lsn, operation),
    ts: nowSeconds,
    expires,
    body,
  };
  const newRow = { ...row, pk, document };
  const freedBytes = claimUniqueKeys(store, container, { row: newRow, nowSeconds });
  growth.add(sizeBytes - freedBytes - (stored === undefined ? 0 : Buffer.byteLength(stored.body)));
  putRow(store, container, newRow);
  return { status: replaced === undefined ? 201 : 200, chargeRu: writeCharge(sizeBytes), row };
}
