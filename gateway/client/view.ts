import type { Client, Edges, Objects } from './api.ts';
import { callBatch, MOST_OPERATIONS } from './calls/batch.ts';
import { type CallContext, type Core, call } from './calls/call.ts';
import type { OnRequest, RequestNote } from './calls/note.ts';
import { type CallOptions, type ResolvedOptions, resolveOptions, type WriteOptions } from './calls/options.ts';
import { perform } from './calls/perform.ts';
import { createReadBatcher } from './calls/read-batcher.ts';
import type { Catalog, Ref } from './catalog.ts';
import { type CommitPart, commitParts } from './commit-operations.ts';
import type { Content } from './content.ts';
import { type Bounds, createEdgeOperations, type EdgeContent, type ListOptions } from './edge-operations.ts';
import { billOf } from './explain/bill.ts';
import type { Latencies } from './explain/latencies.ts';
import { planOf } from './explain/plan.ts';
import { type IterateOptions, iterate } from './iterate.ts';
import { objectOperations, objectPath } from './object-operations.ts';
import type { Operation } from './operation.ts';

/** A client as one caller sees it: the connections of all, options of its own, and who hears of its requests. */
export interface View {
  readonly core: Core;
  readonly catalog: Catalog;
  readonly latencies: Latencies;
  readonly options: ResolvedOptions;
  readonly batchReads: boolean;
  readonly onRequest: readonly OnRequest[];
}

type AnyEdges = { readonly from: Ref<string>; readonly type: string };
type AnyEdge = AnyEdges & { readonly to: Ref<string> };

/** Types are checked by `Client<T>`; inside, names are texts. */
export function createView<T extends Catalog>(view: View): Client<T> {
  const toType = (edgeType: string) => targetOf(view.catalog, edgeType);
  const edgeOperations = createEdgeOperations(toType);
  const run = createRunner(view);
  const client = {
    objects: objectCalls(run),
    edges: edgeCalls(run, edgeOperations),
    operations: { objects: objectOperations, edges: edgeOperations },
    ref: (type: string, id: string) => ({ type, id }),
    batch: (operations: readonly Operation<unknown>[], options: WriteOptions = {}) => {
      if (operations.length > MOST_OPERATIONS)
        throw new RangeError(`A batch has at most ${MOST_OPERATIONS} operations.`);
      if (operations.length === 0) return Promise.resolve([]);
      return callBatch(operations, contextOf(view, options), options.idempotencyKey);
    },
    commit: (
      ref: Ref<string>,
      parts: (part: ReturnType<typeof commitParts>) => readonly CommitPart<unknown>[],
      options: WriteOptions = {},
    ) => commit({ ref, parts: parts(commitParts(ref, toType)) }, contextOf(view, options), options.idempotencyKey),
    with: (options: CallOptions) => createView({ ...view, options: resolveOptions(view.options, options) }),
    explain: async <R>(explained: (client: Client<T>) => Promise<R>) => {
      const notes: RequestNote[] = [];
      const heard = createView<T>({ ...view, onRequest: [...view.onRequest, (note) => void notes.push(note)] });
      const startedAtMs = view.core.now();
      const result = await explained(heard);
      return { result, bill: billOf(notes, view.core.now() - startedAtMs) };
    },
    plan: (hops: Parameters<typeof planOf>[0], options: Parameters<typeof planOf>[1] = {}) =>
      planOf(hops, { isBatched: view.batchReads, ...options }, { catalog: view.catalog, p99Ms: view.latencies.p99Ms }),
    close: () => view.core.endpoints.close(),
  };
  return client as unknown as Client<T>;
}

function targetOf(catalog: Catalog, edgeType: string): string {
  const edge = catalog.edges[edgeType];
  if (edge === undefined) throw new TypeError(`The catalog has no edge type ${edgeType}.`);
  return edge.to;
}

function contextOf({ core, options, onRequest }: View, own: CallOptions): CallContext {
  return { core, options: resolveOptions(options, own), onRequest };
}

type Run = <R>(operation: Operation<R>, options: WriteOptions | undefined) => Promise<R>;

/** Reads without options of their own are gathered when the client says so. */
function createRunner(view: View): Run {
  const batcher = view.batchReads ? createReadBatcher(contextOf(view, {})) : null;
  return (operation, options = {}) => {
    if (batcher !== null && operation.isRead && !hasOwn(options)) return batcher.join(operation);
    return perform(operation, contextOf(view, options), { idempotencyKey: options.idempotencyKey });
  };
}

function hasOwn({ deadlineMs, signal, consistency, session, traceparent }: CallOptions): boolean {
  return [deadlineMs, signal, consistency, session, traceparent].some((option) => option !== undefined);
}

function objectCalls(run: Run) {
  const { get, put, create, delete: remove } = objectOperations;
  type Conditions = Parameters<typeof put>[2] & Parameters<typeof get>[1] & WriteOptions;
  const calls = {
    get: (ref: Ref<string>, options?: Conditions) => run(get(ref, options), options),
    put: (ref: Ref<string>, content: Content, options?: Conditions) => run(put(ref, content, options), options),
    create: (type: string, content: Content, options?: WriteOptions) => run(create(type, content), options),
    delete: (ref: Ref<string>, options?: Conditions) => run(remove(ref, options), options),
  };
  return calls satisfies Record<keyof Objects<Catalog>, unknown>;
}

function edgeCalls(run: Run, operations: ReturnType<typeof createEdgeOperations>) {
  const { get, getMany, list, count, put, delete: remove, changeType } = operations;
  const page = (edges: AnyEdges, options?: ListOptions & CallOptions) => run(list(edges, options), options);
  const calls = {
    get: (edge: AnyEdge, options?: CallOptions) => run(get(edge), options),
    getMany: (edges: AnyEdges, to: readonly Ref<string>[], options?: Bounds & CallOptions) =>
      run(getMany(edges, to, options), options),
    list: page,
    iterate: (edges: AnyEdges, options: IterateOptions) =>
      iterate((listOptions) => page(edges, { ...callOptionsOf(options), ...listOptions }), options),
    count: (edges: AnyEdges, options?: CallOptions) => run(count(edges), options),
    put: (edge: AnyEdge, options?: EdgeContent & WriteOptions) => run(put(edge, options), options),
    delete: (edge: AnyEdge, options?: WriteOptions) => run(remove(edge), options),
    changeType: (edge: AnyEdge, type: string, options?: WriteOptions) => run(changeType(edge, type), options),
  };
  return calls satisfies Record<keyof Edges<Catalog>, unknown>;
}

function callOptionsOf({ deadlineMs, signal, consistency, session, traceparent }: CallOptions): CallOptions {
  return { deadlineMs, signal, consistency, session, traceparent };
}

interface Commit {
  readonly ref: Ref<string>;
  readonly parts: readonly CommitPart<unknown>[];
}

async function commit({ ref, parts }: Commit, context: CallContext, idempotencyKey: string | null | undefined) {
  const called = await call(
    {
      method: 'POST',
      path: `${objectPath(ref)}:commit`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operations: parts.map(({ fields }) => fields) }),
      operation: 'commit',
      parts: [{ operation: 'commit', about: ref.type }],
      isRead: false,
      idempotencyKey,
    },
    context,
  );
  if ('refusal' in called) {
    const { code, details } = called.refusal;
    if (code !== 'version_conflict' && code !== 'already_exists') throw called.error();
    return { conflict: code, operation: Number(details.operation ?? 0) };
  }
  const { results } = called.answer.json<{ results: readonly unknown[] }>();
  return { conflict: null, results: parts.map((part, index) => part.read(results[index])) };
}
