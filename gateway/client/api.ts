import type { CallOptions, WriteOptions } from './calls/options.ts';
import type {
  Catalog,
  ContentOf,
  EdgeName,
  EdgeNameLike,
  EdgeRef,
  EdgesRef,
  ObjectName,
  Ref,
  ToOf,
} from './catalog.ts';
import type { CommitPart, CommitParts, Committed, PartResults } from './commit-operations.ts';
import type { ContentFor, Found } from './content.ts';
import type { Bounds, EdgeContent, EdgeOperations, ListOptions } from './edge-operations.ts';
import type { Bill } from './explain/bill.ts';
import type { Hop, Plan, PlanOptions } from './explain/plan.ts';
import type { HabitatError } from './habitat-error.ts';
import type { IterateOptions } from './iterate.ts';
import type { IfNoneMatch, ObjectOperations, Precondition } from './object-operations.ts';
import type { Operation, ResultOf, Settled } from './operation.ts';
import type { Conflict, Deleted, Edge, EdgeDeleted, EdgeMoved, EdgePage, EdgeWritten, Written } from './replies.ts';

/**
 * Calls about objects. What is not there is null and a precondition that does not hold is a `conflict`: both are ordinary
 * answers, which the compiler makes a caller look at. Everything else that is no success is a HabitatError.
 */
export interface Objects<T extends Catalog> {
  get<N extends ObjectName<T>>(
    ref: Ref<N>,
    options: IfNoneMatch & CallOptions,
  ): Promise<Found<ContentOf<T, N>> | 'unchanged' | null>;
  get<N extends ObjectName<T>>(
    ref: Ref<N>,
    options?: CallOptions & Without<'ifNoneMatch'>,
  ): Promise<Found<ContentOf<T, N>> | null>;
  put<N extends ObjectName<T>>(
    ref: Ref<N>,
    content: ContentFor<T, NoInfer<N>>,
    options: Precondition & WriteOptions,
  ): Promise<Written<N> | Conflict>;
  put<N extends ObjectName<T>>(
    ref: Ref<N>,
    content: ContentFor<T, NoInfer<N>>,
    options?: WriteOptions & Without<'ifMatch' | 'ifAbsent'>,
  ): Promise<Written<N>>;
  /** Under an id that the gateway makes: `ref` of the reply. */
  create<N extends ObjectName<T>>(
    type: N,
    content: ContentFor<T, NoInfer<N>>,
    options?: WriteOptions,
  ): Promise<Written<N>>;
  /** With all its edges. */
  delete<N extends ObjectName<T>>(
    ref: Ref<N>,
    options: { readonly ifMatch: string } & WriteOptions,
  ): Promise<Deleted | Conflict>;
  delete<N extends ObjectName<T>>(ref: Ref<N>, options?: WriteOptions & Without<'ifMatch'>): Promise<Deleted>;
}

/** So that options with a condition in them never pass for options without. */
type Without<K extends string> = { readonly [P in K]?: undefined };

export interface Edges<T extends Catalog> {
  get<E extends EdgeName<T>>(edge: EdgeRef<T, E>, options?: CallOptions): Promise<Edge<ToOf<T, E>> | null>;
  /** Those of at most 100 that there are, in the order asked for. */
  getMany<E extends EdgeName<T>>(
    edges: EdgesRef<T, E>,
    to: readonly Ref<ToOf<T, NoInfer<E>>>[],
    options?: Bounds & CallOptions,
  ): Promise<readonly Edge<ToOf<T, E>>[]>;
  /** One page, newest first. */
  list<E extends EdgeName<T>>(
    edges: EdgesRef<T, E>,
    options?: ListOptions & CallOptions,
  ): Promise<EdgePage<ToOf<T, E>>>;
  /** Page after page, as they are wanted. Ends after `atMost` edges. */
  iterate<E extends EdgeName<T>>(
    edges: EdgesRef<T, E>,
    options: IterateOptions,
  ): AsyncGenerator<Edge<ToOf<T, E>>, void, undefined>;
  count<E extends EdgeName<T>>(edges: EdgesRef<T, E>, options?: CallOptions): Promise<number>;
  put<E extends EdgeName<T>>(
    edge: EdgeRef<T, E>,
    options?: EdgeContent & WriteOptions,
  ): Promise<EdgeWritten<ToOf<T, E>>>;
  delete<E extends EdgeName<T>>(edge: EdgeRef<T, E>, options?: WriteOptions): Promise<EdgeDeleted>;
  /** The edge keeps its time and data. Null when there is none. */
  changeType<E extends EdgeName<T>, F extends EdgeNameLike<T, E>>(
    edge: EdgeRef<T, E>,
    type: F,
    options?: WriteOptions,
  ): Promise<EdgeMoved<T, F> | null>;
}

/** Operations for `batch`: the same as the calls of the same names, not sent yet. */
export interface Operations<T extends Catalog> {
  readonly objects: ObjectOperations<T>;
  readonly edges: EdgeOperations<T>;
}

export interface Client<T extends Catalog> {
  readonly objects: Objects<T>;
  readonly edges: Edges<T>;
  readonly operations: Operations<T>;
  ref<N extends ObjectName<T>>(type: N, id: string): Ref<N>;
  /** Up to 100 operations as one request; each has its own outcome, in the order given. */
  batch<const O extends readonly Operation<unknown>[]>(
    operations: O,
    options?: WriteOptions,
  ): Promise<{ readonly [I in keyof O]: Settled<ResultOf<O[I]>, HabitatError> }>;
  /** Writes of one object and edges that start there: all take effect, or none. */
  commit<N extends ObjectName<T>, const P extends readonly CommitPart<unknown>[]>(
    ref: Ref<N>,
    parts: (part: CommitParts<T, N>) => P,
    options?: WriteOptions,
  ): Promise<Committed<PartResults<P>>>;
  /** The same client with other options. Connections, retry budget and, unless told, the session are shared. */
  with(options: CallOptions): Client<T>;
  /** Runs a loop and tells what it took. Only calls of the client that `run` is given count. */
  explain<R>(run: (client: Client<T>) => Promise<R>): Promise<{ readonly result: R; readonly bill: Bill }>;
  /** What a loop is going to take. */
  plan(hops: readonly Hop<T>[], options?: PlanOptions): Plan;
  /** Lets calls that run end, and closes the connections. */
  close(): Promise<void>;
}
