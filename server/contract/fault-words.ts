import type { FaultEffect, FaultOperation, NewFault } from '#gateway/contract/local-cosmos.ts';

/** What requests of an operation are called. */
export const OPERATION_WORDS: Readonly<Record<FaultOperation, string>> = {
  read: 'reads of one item',
  query: 'queries',
  feed: 'reads of the change feed',
  write: 'single writes',
  batch: 'batches',
  metadata: 'reads of the catalogue',
};

type Scope = Pick<NewFault, 'region' | 'operations' | 'partition' | 'percent' | 'times'>;

/** What a fault does, as one sentence without its full stop: *Batches in West are answered 503, 20 % of them*. */
export function faultSentence(fault: NewFault): string {
  const { percent, times } = fault;
  const share = percent === 100 ? '' : `, ${Number(percent.toPrecision(4))} % of them`;
  const bound = times === undefined ? '' : times === 1 ? ', once' : `, ${times.toLocaleString('en-US')} times at most`;
  return `${capital(clause(fault))}${share}${bound}`;
}

/** Milliseconds as people read them: `200 ms`, `1.5 s`, `2 min`. */
export function delayWords(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  return `${Number((ms / 60_000).toFixed(1))} min`;
}

function clause({ effect, ...scope }: NewFault): string {
  switch (effect.kind) {
    case 'refuse':
      return `${scope.region ?? 'every region'} refuses connections`;
    case 'lag':
      return `reads${ofPartition(scope)} in ${scope.region ?? 'every region'} see ${seen(effect.lagMs)}`;
    case 'replicaLag':
      return replicaLagClause(effect, scope);
    case 'keepExpired':
      return `expired items${ofPartition(scope)}${inRegion(scope)} are not purged: a read finds nothing, a create meets 409`;
    case 'batchStatus': {
      const which = effect.index === 0 ? 'the first operation' : `operation ${effect.index + 1}`;
      return `${subject({ ...scope, operations: ['batch'] })} are rolled back: ${which} is answered ${effect.status}${wait(effect)}`;
    }
    default:
      return `${subject(scope)} ${verb(effect)}`;
  }
}

type RequestEffect = Exclude<FaultEffect, { kind: 'refuse' | 'lag' | 'replicaLag' | 'keepExpired' | 'batchStatus' }>;

function verb(effect: RequestEffect): string {
  switch (effect.kind) {
    case 'reset':
      return 'lose their connection before the reply';
    case 'hang':
      return 'get no reply';
    case 'slow': {
      const queued = effect.perQueuedMs === 0 ? '' : `, and ${delayWords(effect.perQueuedMs)} more for each that waits`;
      return `are carried out ${delayWords(effect.delayMs)} late${queued}`;
    }
    case 'status':
      return `are answered ${effect.status}${effect.subStatus === 0 ? '' : `/${effect.subStatus}`}${wait(effect)}`;
    case 'html':
      return `are answered ${effect.status} with a page of HTML`;
    case 'empty':
      return `are answered ${effect.status} with an empty body`;
    case 'commitThenReset':
      return 'are carried out and then lose their connection without a reply';
    case 'delayedDelivery':
      return `lose their connection at once and are carried out ${delayWords(effect.delayMs)} later`;
  }
}

function replicaLagClause(effect: Extract<FaultEffect, { kind: 'replicaLag' }>, scope: Scope): string {
  const { replicas, lagMs } = effect;
  const which = replicas === 4 ? 'all four replicas' : `${replicas} of the four replicas`;
  const verb = replicas === 1 ? 'shows' : 'show';
  return `${which}${ofPartition(scope)} in ${scope.region ?? 'each region'} ${verb} ${seen(lagMs)}`;
}

function seen(lagMs: number | null): string {
  return lagMs === null ? 'nothing newer than this fault' : `what was committed ${delayWords(lagMs)} ago`;
}

function wait({ retryAfterMs }: { readonly retryAfterMs: number | null }): string {
  return retryAfterMs === null ? '' : ` and told to wait ${delayWords(retryAfterMs)}`;
}

/** *batches and queries of partition chat|Message|m1 in West*; *requests* when nothing narrows them. */
function subject(scope: Scope): string {
  const what = scope.operations === undefined ? 'requests' : join(scope.operations.map((one) => OPERATION_WORDS[one]));
  return `${what}${ofPartition(scope)}${inRegion(scope)}`;
}

function ofPartition({ partition }: Scope): string {
  return partition === undefined ? '' : ` of partition ${partition}`;
}

function inRegion({ region }: Scope): string {
  return region === undefined ? '' : ` in ${region}`;
}

function join(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
