import type { TenantName } from '#gateway/contract/ids.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { FreshnessPort } from '#gateway/pipeline/freshness-port.ts';
import type { HeldEdge, HeldObject, ReadAnswer, ServingPort } from '#gateway/pipeline/serving-port.ts';
import type { ContentPort, StoredEdge, StoredObject, StorePort, StoreReply } from '#gateway/pipeline/store-port.ts';
import type { EdgeList } from './entry.ts';
import { countQuestion, edgesQuestion, listQuestion, objectQuestion, type QuestionParts } from './questions.ts';
import { createReadThrough, type ReadThroughParts } from './read-through.ts';
import { createShelf } from './shelf.ts';
import { openSlab } from './slab.ts';

export interface CacheOptions {
  /** What the cache takes of memory for content; beside it a key of each entry lies on the heap. */
  readonly bytes: number;
  readonly store: StorePort;
  readonly freshness: FreshnessPort;
  readonly content: Pick<ContentPort, 'open'> & {
    /** Whether a tenant's data key may still be used; what was sealed with one that may not is not shown. */
    holdsKey(tenant: TenantName, keyId: string): boolean;
  };
  /** Milliseconds that never go back; `nowMs` of the epoch. */
  readonly clock: Pick<ReadThroughParts, 'steadyMs' | 'nowMs'>;
}

export interface Cache extends ServingPort {
  /** Drops everything of a tenant, as when one of its data keys is let go of. */
  dropTenant(tenant: TenantName): void;
}

/** Smaller entries than this are no reason to keep more of them: keys on the heap have to be paid for as well. */
const LEAST_BYTES = 512;

/**
 * A cache in front of the store, for types whose release says so: objects, that there is none, edges, counts and the first
 * page of lists, with their content open. Conditional, critical and keyed requests, and every write, go past it. What it
 * shows is as new as the last write through this process, whichever of its threads served that, as new as the caller's
 * session, and else at most the type's `ttlMs` old.
 */
export function createCache(options: CacheOptions): Cache {
  const { store, content, freshness, clock, bytes } = options;
  const slab = openSlab({ bytes, maxEntries: Math.max(1, Math.floor(bytes / LEAST_BYTES)) });
  const shelf = createShelf({ slab, freshness, holdsKey: content.holdsKey });
  const parts: QuestionParts = { store, content, shelf };
  const through = { freshness, ...clock };
  const objects = createReadThrough<StoredObject | null, HeldObject | null>(through);
  const counts = createReadThrough<number, number>(through);
  const edges = createReadThrough<readonly StoredEdge[], readonly HeldEdge[]>(through);
  const lists = createReadThrough<{ readonly edges: readonly StoredEdge[]; readonly more: boolean }, EdgeList>(through);
  return {
    ...store,
    getObject: (key, call) =>
      after(objects(objectQuestion(parts, key), call), (answer) =>
        answer.value === null ? absent(key.type) : { ...answer, value: answer.value },
      ),
    countEdges: (edge, call) => counts(countQuestion(parts, edge), call),
    getEdges(edge, want, call) {
      const { afterMs, beforeMs } = want;
      const isWithin = ({ timeMs }: { readonly timeMs: number }) =>
        timeMs >= (afterMs ?? 0) && timeMs <= (beforeMs ?? Infinity);
      return after(edges(edgesQuestion(parts, edge, want.toIds), call), (answer) => ({
        ...answer,
        value: answer.value.filter(isWithin),
      }));
    },
    listEdges(edge, want, call) {
      const isFirstPage = want.afterS === null && (want.pos ?? 0) === 0;
      if (!isFirstPage || want.afterMs !== null || want.beforeMs !== null) return store.listEdges(edge, want, call);
      return lists(listQuestion(parts, edge, want.limit), call);
    },
    dropTenant: shelf.dropTenant,
  };
}

function absent(type: string): Denial {
  return deny('object_not_found', `No ${type} is stored under this id.`);
}

/** Makes something of an answer, at once when it is there. */
function after<A, B>(answer: ReadAnswer<A>, of: (reply: StoreReply<A>) => StoreReply<B> | Denial): ReadAnswer<B> {
  if (answer instanceof Promise) return answer.then((given) => (isDenial(given) ? given : of(given)));
  return isDenial(answer) ? answer : of(answer);
}
