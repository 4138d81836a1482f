import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Denial } from './denial.ts';
import type { StoreAnswer, StoreCall, StoredEdge, StoredObject, StorePort, StoreReply } from './store-port.ts';

/** An object whose content is open already, as a cache keeps it. */
export interface HeldObject {
  readonly kind: 'heldObject';
  readonly r: number;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** An edge whose data is open already; null when it has none. */
export interface HeldEdge {
  readonly kind: 'heldEdge';
  readonly toId: ObjectId;
  readonly r: number;
  readonly timeMs: number;
  readonly s: string;
  readonly data: Uint8Array | null;
}

export type EdgeFound = StoredEdge | HeldEdge;

/** `hit`: the store was not asked for this request. */
export type CacheFound = 'hit' | 'miss';

/** How long what a read of this type finds may be shown to others. */
export interface CacheTerms {
  readonly ttlMs: number;
  note(found: CacheFound): void;
}

export interface ReadCall extends StoreCall {
  /** Null when the type is not cached. */
  readonly cache: CacheTerms | null;
}

/** At once when the store need not be asked. */
export type ReadAnswer<T> = StoreReply<T> | Denial | StoreAnswer<T>;

type Reads = Pick<StorePort, 'getObject' | 'countEdges' | 'getEdges' | 'listEdges'>;
type AskedOf<Name extends keyof Reads, At extends number> = Parameters<Reads[Name]>[At];

/** The store as the pipeline sees it: what it reads may come from a cache in front, open already. */
export interface ServingPort extends Omit<StorePort, keyof Reads> {
  getObject(key: AskedOf<'getObject', 0>, call: ReadCall): ReadAnswer<StoredObject | HeldObject>;
  countEdges(edge: AskedOf<'countEdges', 0>, call: ReadCall): ReadAnswer<number>;
  getEdges(
    edge: AskedOf<'getEdges', 0>,
    want: AskedOf<'getEdges', 1>,
    call: ReadCall,
  ): ReadAnswer<readonly EdgeFound[]>;
  listEdges(
    edge: AskedOf<'listEdges', 0>,
    want: AskedOf<'listEdges', 1>,
    call: ReadCall,
  ): ReadAnswer<{ readonly edges: readonly EdgeFound[]; readonly more: boolean }>;
}
