import type { Container } from '#gateway/emulator/catalog/container.ts';
import { badRequest, CosmosError, notFound } from '#gateway/emulator/errors.ts';
import { isJsonObject, type JsonObject } from '#gateway/emulator/json.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import { readCharge, writeCharge } from './charge.ts';
import { deleteRow, type ItemRow, putRow, readRow } from './item-row.ts';
import { checkItemId, checkItemSize } from './limits.ts';
import { partitionKeyOf } from './partition-key.ts';
import { applyPatch, type Patch } from './patch.ts';
import { docNumber, etagOf } from './sequence.ts';
import { expiryOf } from './ttl.ts';

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
  /** From the request's header; for a create without one, taken from the document. */
  readonly pk: string | undefined;
  readonly nowSeconds: number;
  readonly operation: number;
  /** Taken at the first write of the request, so that a request that only reads leaves no gap. */
  readonly lsn: () => number;
  /** Expired items that are not purged yet are in the way of a create. */
  readonly keepsExpired?: boolean;
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
      deleteRow(scope.store, scope.container, row.doc);
      return { status: 204, chargeRu: writeCharge(Buffer.byteLength(row.body)) };
    }
    case 'replace': {
      const document = checkDocument(operation.document);
      if (document.id !== operation.id) throw badRequest('The id of the document is not the id of the request.');
      return write(scope, document, existing(scope, operation.id, operation.guards));
    }
    case 'patch': {
      const row = existing(scope, operation.id, operation.guards);
      return write(scope, applyPatch(JSON.parse(row.body) as JsonObject, operation.patch), row);
    }
  }
}

function create(scope: OperationScope, body: unknown): OperationResult {
  const document = checkDocument(body);
  // Before all time nothing has expired yet.
  const seen = scope.keepsExpired === true ? { ...scope, nowSeconds: -1 } : scope;
  if (find(seen, String(document.id), partitionOf(scope, document)) !== undefined) {
    throw new CosmosError(409, 'Entity with the specified id already exists in the system.');
  }
  return write(scope, document, undefined);
}

function upsert(scope: OperationScope, body: unknown, guards: Guards): OperationResult {
  const document = checkDocument(body);
  const row = find(scope, String(document.id), partitionOf(scope, document));
  if (row !== undefined) checkMatch(row, guards);
  return write(scope, document, row);
}

function read(scope: OperationScope, id: string, guards: Guards): OperationResult {
  const row = find(scope, id, partitionOf(scope));
  if (row === undefined) throw notFound('The item');
  const unchanged = guards.ifNoneMatch === '*' || guards.ifNoneMatch === row.etag;
  return unchanged
    ? { status: 304, chargeRu: 1, row }
    : { status: 200, chargeRu: readCharge(Buffer.byteLength(row.body)), row };
}

function existing(scope: OperationScope, id: string, guards: Guards): ItemRow {
  const row = find(scope, id, partitionOf(scope));
  if (row === undefined) throw notFound('The item');
  checkMatch(row, guards);
  return row;
}

function checkMatch(row: ItemRow, { ifMatch }: Guards): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === row.etag) return;
  throw new CosmosError(412, 'One of the specified pre-condition is not met.');
}

const find = (scope: OperationScope, id: string, pk: string): ItemRow | undefined =>
  readRow(scope.store, scope.container, { pk, id, nowSeconds: scope.nowSeconds });

/** Properties of the service in a body (from an earlier read) are dropped; they are made anew on every write. */
function checkDocument(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw badRequest('The body of an item is a JSON object.');
  const { _rid, _self, _etag, _ts, _attachments, _lsn, ...document } = body;
  checkItemId(document.id);
  return document;
}

function partitionOf(scope: OperationScope, document?: JsonObject): string {
  const { pk, container } = scope;
  const own = document === undefined ? undefined : partitionKeyOf(container, document);
  const text = pk ?? own;
  if (text === undefined) throw badRequest('PartitionKey value must be supplied for this operation.');
  if (own !== undefined && own !== text) {
    throw badRequest('PartitionKey extracted from document does not match the one specified in the header.', 1001);
  }
  return text;
}

function write(scope: OperationScope, document: JsonObject, previous: ItemRow | undefined): OperationResult {
  const { store, container, nowSeconds, operation } = scope;
  const pk = partitionOf(scope, document);
  const body = JSON.stringify(document);
  const sizeBytes = checkItemSize(body);
  const expires = expiryOf(container.definition.defaultTtl, document.ttl, nowSeconds);
  const lsn = scope.lsn();
  const row: ItemRow = {
    doc: previous?.doc ?? docNumber(lsn, operation),
    id: String(document.id),
    lsn,
    etag: etagOf(container, lsn, operation),
    ts: nowSeconds,
    body,
  };
  putRow(store, container, { ...row, pk, expires, document });
  return { status: previous === undefined ? 201 : 200, chargeRu: writeCharge(sizeBytes), row };
}
