/** What a partition holds, as plainly as it can be said. */
export interface ModelItem {
  readonly n: number;
  readonly ttl: number | undefined;
  /** Epoch seconds. */
  readonly expires: number | undefined;
  /** As the endpoint gave it; the model only remembers it. */
  readonly etag: string | undefined;
}

export type ModelState = ReadonlyMap<string, ModelItem>;

export interface ModelOperation {
  readonly kind: 'Create' | 'Upsert' | 'Replace' | 'Patch' | 'Read' | 'Delete';
  readonly id: string;
  readonly n: number;
  readonly ttl: number | undefined;
  readonly guard: 'none' | 'current' | 'stale';
}

export interface ModelSurroundings {
  readonly nowSeconds: number;
  /** Of the answers, by position: where the model takes its etags from. */
  readonly etags: readonly (string | undefined)[];
}

export interface ModelOutcome {
  readonly statuses: readonly number[];
  readonly state: ModelState;
}

/** All operations or none; a single operation is a batch of one. */
export function runModelBatch(
  before: ModelState,
  operations: readonly ModelOperation[],
  { nowSeconds, etags }: ModelSurroundings,
): ModelOutcome {
  const state = new Map([...before].filter(([, { expires }]) => expires === undefined || expires > nowSeconds));
  const sent = new Map(before);
  const statuses: number[] = [];
  for (const [at, operation] of operations.entries()) {
    const status = apply(state, operation, {
      nowSeconds,
      etag: etags[at],
      known: sent.get(operation.id)?.etag ?? '"none"',
    });
    if (status >= 400) return { statuses: operations.map((_, index) => (index === at ? status : 424)), state: before };
    statuses.push(status);
  }
  return { statuses, state };
}

interface Around {
  readonly nowSeconds: number;
  readonly etag: string | undefined;
  /** The etag that `current` was sent with: that of the item before the batch. */
  readonly known: string;
}

function apply(state: Map<string, ModelItem>, operation: ModelOperation, { nowSeconds, etag, known }: Around): number {
  const { kind, id, n, ttl, guard } = operation;
  const item = state.get(id);
  const put = (value: number, lifeSeconds: number | undefined): void => {
    const expires = lifeSeconds === undefined ? undefined : nowSeconds + lifeSeconds;
    state.set(id, { n: value, ttl: lifeSeconds, expires, etag });
  };
  if (kind === 'Create' || kind === 'Upsert') {
    if (kind === 'Create' && item !== undefined) return 409;
    put(n, ttl);
    return item === undefined ? 201 : 200;
  }
  if (item === undefined) return 404;
  if (kind === 'Read') return 200;
  if (guard === 'stale' || (guard === 'current' && item.etag !== known)) return 412;
  if (kind === 'Delete') state.delete(id);
  else if (kind === 'Replace') put(n, ttl);
  else put(item.n + n, item.ttl);
  return kind === 'Delete' ? 204 : 200;
}
