import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';
import type { Misfit } from './content-check.ts';
import type { Denial } from './denial.ts';
import type { Consistency, SessionToken } from './store-port.ts';

/** What the path names. The names are as written: `resolve` finds out whether they are registered. */
interface Place {
  readonly tenant: string;
  readonly type: string;
  readonly id: ObjectId;
}

/** An object whose id the gateway chooses, once it knows the caller. */
export interface CreateAsk {
  readonly operation: 'object.create';
  readonly tenant: string;
  readonly type: string;
  readonly contentType: string;
}

/** Inclusive bounds on an edge's time, epoch milliseconds. */
export interface TimeBounds {
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

export type ObjectAsk =
  | CreateAsk
  /** `ifNoneMatch` lists versions; a hit answers 304. */
  | (Place & { readonly operation: 'object.get'; readonly ifNoneMatch: readonly string[] })
  | (Place & {
      readonly operation: 'object.put';
      readonly contentType: string;
      readonly ifMatch: number | null;
      readonly ifAbsent: boolean;
    })
  | (Place & { readonly operation: 'object.delete'; readonly ifMatch: number | null });

export type EdgeAsk = Place & { readonly edgeType: string } & (
    | ({ readonly operation: 'edge.get'; readonly toIds: readonly ObjectId[]; readonly single: boolean } & TimeBounds)
    | { readonly operation: 'edge.put'; readonly toId: ObjectId }
    | { readonly operation: 'edge.delete'; readonly toId: ObjectId }
    /** `to` is the edge type that the edge gets, as written. */
    | { readonly operation: 'edge.changeType'; readonly toId: ObjectId; readonly to: string }
    | { readonly operation: 'edge.count' }
    | ({
        readonly operation: 'edge.list';
        /** As asked, 1…10,000; null when the caller left it to the gateway. */
        readonly limit: number | null;
        readonly cursor: string | null;
        /** Edges to pass over for a single page; null when the list is walked by its cursor. */
        readonly pos: number | null;
      } & TimeBounds)
  );

/** Writes of one object and its edges that happen all or not at all. */
export type CommitAsk = Place & { readonly operation: 'commit'; readonly parts: readonly PartAsk[] };

/** One operation of a commit. */
export type PartAsk =
  | {
      readonly operation: 'object.put';
      readonly content: Uint8Array;
      readonly contentType: string;
      readonly ifMatch: number | null;
      readonly ifAbsent: boolean;
    }
  | {
      readonly operation: 'edge.put';
      readonly edgeType: string;
      readonly toId: ObjectId;
      readonly timeMs: number | null;
      readonly data: string | undefined;
    }
  | { readonly operation: 'edge.delete'; readonly edgeType: string; readonly toId: ObjectId }
  | {
      readonly operation: 'edge.changeType';
      readonly edgeType: string;
      readonly toId: ObjectId;
      readonly to: string;
    };

/** One typed request of the API. */
export type Ask = ObjectAsk | EdgeAsk | CommitAsk;

/** A request that names types in its body, which is therefore read before policy is asked. */
export interface BodyAsk {
  readonly operation: 'body';
  readonly maxBytes: number;
  /** Refused as `malformed_request`. */
  read(body: Uint8Array): Ask | Denial;
}

/** Many requests in one: how its body is read and its reply written is the transport's to know. */
export interface BatchAsk {
  readonly operation: 'batch';
  readonly tenant: string;
  readonly format: BatchFormat;
}

export interface BatchFormat {
  /** The operations of a body; refused as `malformed_request` when it is no list of 1 to 100. */
  read(body: Uint8Array): readonly BatchItem[] | Denial;
  /** The reply's body. */
  write(results: readonly BatchResult[]): string;
}

/** One operation of a batch, as the requests it becomes when its turn comes. */
export interface BatchItem {
  /** Operations with the same lane touch one partition and run one after another, in order. */
  readonly lane: string;
  readonly mayReadContent: boolean;
  /** The operation as a request of its own, of which so much of the batch's deadline is left. */
  toIncoming(deadlineMs: number): Incoming;
}

export interface BatchResult {
  readonly requestId: string;
  readonly outcome: Reply | Denial;
  readonly misfit: Misfit | null;
}

/** A typed request with everything its headers said. */
export interface Call<A extends Ask | BodyAsk | BatchAsk = Ask> {
  readonly ask: A;
  readonly idempotencyKey: string | null;
  readonly deadlineMs: number;
  readonly consistency: Consistency;
  /** The caller's `Habitat-Session`, opened. */
  readonly session: readonly SessionToken[];
  /** Method, path, query and preconditions: what an idempotency key is bound to, beside the body. */
  readonly fingerprint: string;
}

/** What a path named, as far as it could be read: for the record of a request that is refused early. */
export interface Mention {
  readonly operation: Operation | null;
  readonly tenant: string | null;
  readonly type: string | null;
  readonly id: string | null;
  readonly edgeType: string | null;
  readonly toId: string | null;
}

/** The body, not read until a stage asks: a stranger makes nobody buffer a megabyte. */
export interface BodySource {
  /** Length that the caller announced, bytes; null when it announced none. */
  readonly announcedBytes: number | null;
  /** The whole body, at most `maxBytes`; refused as `malformed_request` or `deadline_exceeded`. */
  read(maxBytes: number, deadlineAtMs: number): Promise<Uint8Array | Denial>;
}

/** One request as it came in. */
export interface Incoming {
  readonly requestId: string;
  /** Microseconds of the process clock at which the first byte was there. */
  readonly arrivedUs: number;
  /** The peer's address: who pays for bad credentials. */
  readonly address: string;
  readonly authorization: string | null;
  readonly mention: Mention;
  readonly call: Call | Call<BodyAsk> | Call<BatchAsk> | Denial;
  readonly body: BodySource;
}

/** A reply that is not a refusal. */
export interface Reply {
  readonly kind: 'answer';
  readonly status: 200 | 201 | 304;
  readonly contentType: string | null;
  /** Version of the object, for ETag; null when the reply is not about one. */
  readonly version: string | null;
  readonly body: string | Uint8Array | null;
  readonly session: readonly SessionToken[];
}
