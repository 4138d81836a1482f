import { z } from 'zod';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { applyOperation, type ItemOperation, type OperationResult } from './apply-operation.ts';
import { LIMITS } from './limits.ts';
import { parsePatch } from './patch.ts';
import type { RequestScope } from './request-scope.ts';

const BatchOperation = z.object({
  operationType: z.enum(['Create', 'Upsert', 'Read', 'Delete', 'Replace', 'Patch']),
  id: z.string().optional(),
  resourceBody: z.unknown().optional(),
  ifMatch: z.string().optional(),
  ifNoneMatch: z.string().optional(),
  /** Only operations outside of an atomic batch name one: each goes to a partition of its own. */
  partitionKey: z.string().optional(),
});

const Batch = z.array(BatchOperation);
export type Batch = z.infer<typeof Batch>;

export interface BatchItemResult extends OperationResult {
  readonly subStatus?: number;
  readonly message?: string;
}

/** Thrown to roll a batch back; carries what every operation is told. */
export class BatchRolledBack extends Error {
  readonly results: readonly BatchItemResult[];

  constructor(results: readonly BatchItemResult[]) {
    super('the batch was rolled back');
    this.name = 'BatchRolledBack';
    this.results = results;
  }
}

export function parseBatch(body: unknown): Batch {
  const parsed = Batch.safeParse(body);
  if (!parsed.success) throw badRequest(`The batch is not valid: ${z.prettifyError(parsed.error)}`);
  const count = parsed.data.length;
  if (count < 1 || count > LIMITS.batchOperations) {
    throw badRequest(`A batch has 1 to ${LIMITS.batchOperations} operations, this one has ${count}.`);
  }
  return parsed.data;
}

/**
 * Runs all operations in order inside one savepoint. The first refusal throws `BatchRolledBack`: that operation keeps
 * its own status and every other one, before and after it, is told 424.
 */
export function runBatch(scope: RequestScope, batch: Batch): readonly BatchItemResult[] {
  const results: BatchItemResult[] = [];
  for (const [at, entry] of batch.entries()) {
    try {
      results.push(applyOperation({ ...scope, operation: at }, toOperation(entry)));
    } catch (error) {
      if (!(error instanceof CosmosError)) throw error;
      throw new BatchRolledBack(batch.map((_, index) => (index === at ? refusal(error) : DEPENDENT)));
    }
  }
  return results;
}

/** What an operation is told that was not carried out because of another. */
export const DEPENDENT: BatchItemResult = { status: 424, chargeRu: 0 };

export const refusal = (error: CosmosError): BatchItemResult => ({
  status: error.status,
  chargeRu: error.charge,
  subStatus: error.subStatus,
  message: error.message,
});

export function toOperation(entry: Batch[number]): ItemOperation {
  const guards = { ifMatch: entry.ifMatch, ifNoneMatch: entry.ifNoneMatch };
  switch (entry.operationType) {
    case 'Create':
      return { kind: 'create', document: entry.resourceBody, guards };
    case 'Upsert':
      return { kind: 'upsert', document: entry.resourceBody, guards };
    case 'Replace':
      return { kind: 'replace', id: idOf(entry), document: entry.resourceBody, guards };
    case 'Patch':
      return { kind: 'patch', id: idOf(entry), patch: parsePatch(entry.resourceBody), guards };
    case 'Read':
      return { kind: 'read', id: idOf(entry), guards };
    case 'Delete':
      return { kind: 'delete', id: idOf(entry), guards };
  }
}

function idOf(entry: Batch[number]): string {
  if (entry.id === undefined) throw badRequest(`A ${entry.operationType} operation of a batch needs an id.`);
  return entry.id;
}
