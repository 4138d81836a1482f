import type { FaultEffect, FaultOperation } from '#gateway/contract/local-cosmos.ts';

type EffectKind = FaultEffect['kind'];

/** What can be switched on, the usual first. */
export const EFFECT_CHOICES: readonly { readonly value: EffectKind; readonly label: string }[] = [
  { value: 'refuse', label: 'The region refuses connections' },
  { value: 'status', label: 'Requests are answered with an error' },
  { value: 'slow', label: 'Requests are carried out late' },
  { value: 'hang', label: 'No reply comes' },
  { value: 'reset', label: 'The connection is cut before the reply' },
  { value: 'commitThenReset', label: 'Carried out, then cut without a reply' },
  { value: 'delayedDelivery', label: 'Cut at once, carried out later' },
  { value: 'batchStatus', label: 'Batches are rolled back' },
  { value: 'html', label: 'A page of HTML comes back' },
  { value: 'empty', label: 'An empty body comes back' },
  { value: 'lag', label: 'Reads lag behind' },
  { value: 'replicaLag', label: 'Some replicas lag behind' },
  { value: 'keepExpired', label: 'Expired items stay' },
];

/** Operations as boxes of the form. */
export const OPERATION_CHOICES: readonly { readonly value: FaultOperation; readonly label: string }[] = [
  { value: 'read', label: 'Reads of one item' },
  { value: 'query', label: 'Queries' },
  { value: 'feed', label: 'Reads of the change feed' },
  { value: 'write', label: 'Single writes' },
  { value: 'batch', label: 'Batches' },
  { value: 'metadata', label: 'Reads of the catalogue' },
];

interface AnswerChoice {
  readonly value: string;
  readonly label: string;
  readonly status: number;
  readonly subStatus: number;
  /** An operation inside a batch can be answered so. */
  readonly inBatch: boolean;
}

/** Errors of Cosmos DB that a gateway must live with. `other` asks for the numbers. */
export const ANSWERS: readonly AnswerChoice[] = [
  { value: '503', label: '503, unavailable', status: 503, subStatus: 0, inBatch: true },
  { value: '429', label: '429, throttled', status: 429, subStatus: 3200, inBatch: true },
  { value: '449', label: '449, two writes met', status: 449, subStatus: 0, inBatch: true },
  { value: '410', label: '410/1002, the partition moved', status: 410, subStatus: 1002, inBatch: false },
  { value: '408', label: '408, timed out', status: 408, subStatus: 0, inBatch: true },
  { value: '500', label: '500, failed', status: 500, subStatus: 0, inBatch: true },
  { value: '403', label: '403/3, the region takes no writes', status: 403, subStatus: 3, inBatch: false },
  { value: '404', label: '404/1002, the session is not there yet', status: 404, subStatus: 1002, inBatch: false },
];
