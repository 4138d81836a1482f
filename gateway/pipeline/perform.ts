import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Permit } from './admit.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import { edgeNamed } from './resolve.ts';
import type { EdgeFound, HeldObject, ReadAnswer, ReadCall, ServingPort } from './serving-port.ts';
import type { CommitOutcome, EdgeMoved, ObjectGone, SessionToken, StoredObject, StoreReply } from './store-port.ts';
import { noteCache, type Trace } from './trace.ts';
import type { EdgeWork, Work } from './work.ts';

type Of<O extends Work['operation']> = Extract<Work, { operation: O }>;

/** What the store answered, beside the work that asked for it. */
export type Fetched = { readonly id: ObjectId; readonly session: readonly SessionToken[] } & (
  | { readonly operation: 'object.get'; readonly work: Of<'object.get'>; readonly value: StoredObject | HeldObject }
  | { readonly operation: 'object.put'; readonly value: { readonly r: number; readonly created: boolean } }
  | { readonly operation: 'object.delete'; readonly value: ObjectGone }
  | { readonly operation: 'commit'; readonly value: readonly CommitOutcome[] }
  | { readonly operation: 'edge.get'; readonly work: Of<'edge.get'>; readonly value: readonly EdgeFound[] }
  | {
      readonly operation: 'edge.put';
      readonly work: Of<'edge.put'>;
      readonly value: { readonly r: number; readonly timeMs: number; readonly created: boolean };
    }
  | {
      readonly operation: 'edge.delete';
      readonly work: Of<'edge.delete'>;
      readonly value: { readonly deleted: boolean };
    }
  | {
      readonly operation: 'edge.changeType';
      readonly work: Of<'edge.changeType'>;
      readonly value: EdgeMoved;
    }
  | { readonly operation: 'edge.count'; readonly value: number }
  | {
      readonly operation: 'edge.list';
      readonly work: Of<'edge.list'>;
      readonly value: { readonly edges: readonly EdgeFound[]; readonly more: boolean };
    }
);

/**
 * The one call to the store, and the only wait of a request that has no body. Takes a permit, so an operation that was
 * not authenticated, authorized, bounded and admitted cannot reach it.
 */
export function perform(
  permit: Permit,
  trace: Trace,
  ports: { store: ServingPort; nowMs: number },
): Fetched | Denial | Promise<Fetched | Denial> {
  const { call } = permit.grant;
  const deadlineAtMs = trace.atMs + call.deadlineMs;
  if (ports.nowMs >= deadlineAtMs) {
    return deny('deadline_exceeded', `The deadline of ${call.deadlineMs} ms passed before the store was asked.`);
  }
  const { work } = permit;
  const ttlMs =
    'rule' in work ? edgeNamed(permit.grant, work.rule.edgeType).cacheTtlMs : permit.grant.objectType.cacheTtlMs;
  const storeCall: ReadCall = {
    requestId: trace.incoming.requestId,
    deadlineAtMs,
    consistency: call.consistency,
    session: call.session,
    meter: trace,
    cache: ttlMs === null ? null : { ttlMs, note: (found) => noteCache(trace, found) },
  };
  const means = { store: ports.store, call: storeCall };
  const answer = 'rule' in work ? performEdge(work, permit, means) : performObject(work, permit, means);
  const { id } = permit.grant.object;
  return answer instanceof Promise ? answer.then((given) => about(id, given)) : about(id, answer);
}

function about(id: ObjectId, answer: Answer): Fetched | Denial {
  return isDenial(answer) ? answer : { ...answer, id };
}

interface Means {
  readonly store: ServingPort;
  readonly call: ReadCall;
}

function performObject(work: Exclude<Work, EdgeWork>, permit: Permit, means: Means): MaybeLater {
  const { store, call } = means;
  const key = permit.grant.object;
  switch (work.operation) {
    case 'object.get':
      return fetched(store.getObject(key, call), (value) => ({ operation: work.operation, work, value }));
    case 'object.put': {
      const { content, contentType, precondition, idempotency } = work;
      const answer = store.putObject(key, { content, contentType, precondition }, { ...call, idempotency });
      return fetched(answer, (value) => ({ operation: work.operation, value }));
    }
    case 'object.delete': {
      const { ifMatch, idempotency } = work;
      const { mirrored } = permit.grant.objectType;
      const answer = store.deleteObject(key, { ifMatch, mirrored }, { ...call, idempotency });
      return fetched(answer, (value) => ({ operation: work.operation, value }));
    }
    case 'commit': {
      const { parts, idempotency } = work;
      return fetched(store.commit(key, parts, { ...call, idempotency }), (value) => ({
        operation: work.operation,
        value,
      }));
    }
  }
}

function performEdge(work: EdgeWork, permit: Permit, means: Means): MaybeLater {
  const { store, call } = means;
  const edge = { from: permit.grant.object, rule: work.rule };
  switch (work.operation) {
    case 'edge.get': {
      const { toIds, afterMs, beforeMs } = work;
      const answer = store.getEdges(edge, { toIds, afterMs, beforeMs }, call);
      return fetched(answer, (value) => ({ operation: work.operation, work, value }));
    }
    case 'edge.put': {
      const { toId, timeMs, data, idempotency } = work;
      const answer = store.putEdge({ ...edge, toId }, { timeMs, data }, { ...call, idempotency });
      return fetched(answer, (value) => ({ operation: work.operation, work, value }));
    }
    case 'edge.delete': {
      const answer = store.deleteEdge({ ...edge, toId: work.toId }, { ...call, idempotency: work.idempotency });
      return fetched(answer, (value) => ({ operation: work.operation, work, value }));
    }
    case 'edge.changeType': {
      const { toId, to, idempotency } = work;
      const answer = store.changeEdgeType({ ...edge, toId }, to, { ...call, idempotency });
      return fetched(answer, (value) => ({ operation: work.operation, work, value }));
    }
    case 'edge.count':
      return fetched(store.countEdges(edge, call), (value) => ({ operation: work.operation, value }));
    case 'edge.list': {
      const { limit, afterS, afterMs, beforeMs, pos } = work;
      const want = { limit, afterS, pos: pos ?? 0, afterMs, beforeMs };
      const answer = store.listEdges(edge, want, call);
      return fetched(answer, (value) => ({ operation: work.operation, work, value }));
    }
  }
}

type Answer = (Bare<Fetched> & Session) | Denial;
/** At once when the store need not be asked. */
type MaybeLater = Answer | Promise<Answer>;
type Session = Pick<Fetched, 'session'>;
type Bare<T> = T extends unknown ? Omit<T, 'session' | 'id'> : never;

function fetched<V>(answer: ReadAnswer<V>, of: (value: V) => Bare<Fetched>): MaybeLater {
  return answer instanceof Promise ? answer.then((given) => told(given, of)) : told(answer, of);
}

function told<V>(answer: StoreReply<V> | Denial, of: (value: V) => Bare<Fetched>): Answer {
  if (isDenial(answer)) return answer;
  return { ...of(answer.value), session: answer.session };
}
