import type { EdgeTypeName, ObjectId, ObjectTypeName, TenantName } from '#gateway/contract/ids.ts';
import type { AttemptRecord } from '#gateway/contract/telemetry.ts';
import type { Denial } from './denial.ts';

/** The logical partition of an object and its edges. */
export interface ObjectKey {
  readonly tenant: TenantName;
  readonly type: ObjectTypeName;
  readonly id: ObjectId;
}

/** What the store needs to know of an edge type. `inverse` is set when each forward edge is mirrored. */
export interface EdgeRule {
  readonly edgeType: EdgeTypeName;
  readonly from: ObjectTypeName;
  readonly to: ObjectTypeName;
  readonly cardinality: 'many' | 'one';
  readonly maxEdges: number;
  readonly inverse: EdgeTypeName | null;
  /** Set on an inverse: its forward edge type, to whose partition a write is routed. */
  readonly derivedFrom: EdgeTypeName | null;
  /** Set on an inverse: the rule of its forward edge type, whose cardinality and limit decide a write. Null otherwise. */
  readonly forward: EdgeRule | null;
}

/** Collects what the store charged, how often and where it was asked, for one request. */
export interface StoreMeter {
  add(attempt: AttemptRecord): void;
}

export type Consistency = 'eventual' | 'session' | 'critical';

/** What every store call of one request carries. */
export interface StoreCall {
  readonly requestId: string;
  /** Epoch milliseconds after which no new attempt starts. */
  readonly deadlineAtMs: number;
  readonly consistency: Consistency;
  /** Content of the client's `Habitat-Session`, opened: tokens by account, container and range. */
  readonly session: readonly SessionToken[];
  readonly meter: StoreMeter;
}

export interface SessionToken {
  readonly account: string;
  readonly container: string;
  readonly range: string;
  readonly token: string;
}

/** A write repeated with the same key returns the stored outcome; the same key with another body is refused (T13). */
export interface Idempotency {
  readonly principal: string;
  readonly key: string;
  /** Hash of method, path, preconditions and body. */
  readonly requestSha256: string;
}

export interface WriteCall extends StoreCall {
  readonly idempotency: Idempotency | null;
}

/** A sealed object as stored: clear fields beside the envelope that `ContentPort.open` reads. */
export interface SealedContent {
  readonly keyId: string;
  /** `none` or `zstd`; any other word, as one read from a damaged item, does not open. */
  readonly codec: string;
  readonly contentType: string;
  /** Bytes of the plain content. */
  readonly plainBytes: number;
  /** base64 of IV, ciphertext and tag. */
  readonly envelope: string;
  /** crc32 of the envelope's bytes. */
  readonly envelopeCrc: number;
}

/** What the sealed bytes are bound to (additional data of AES-GCM). `id` is the item id: `o` or `e~…`. */
export interface ContentBinding {
  readonly tenant: TenantName;
  readonly pk: string;
  readonly itemId: string;
  readonly type: string;
  readonly r: number;
  readonly timeMs: number;
}

/** Encrypts, compresses and checks content: the only place that knows keys. */
export interface ContentPort {
  seal(binding: ContentBinding, content: Uint8Array, contentType: string): Promise<SealedContent | Denial>;
  open(binding: ContentBinding, sealed: SealedContent): Uint8Array | Denial | Promise<Uint8Array | Denial>;
}

export interface StoredObject {
  readonly kind: 'object';
  readonly r: number;
  readonly binding: ContentBinding;
  readonly sealed: SealedContent;
}

/** `data` is absent when the edge has none. */
export interface StoredEdge {
  readonly kind: 'edge';
  readonly toId: ObjectId;
  readonly r: number;
  readonly timeMs: number;
  readonly binding: ContentBinding;
  readonly data: SealedContent | null;
  /** Sort string, the cursor's key. */
  readonly s: string;
}

/** The session tokens that a reply carries on, empty when the store gave none. */
export interface StoreReply<T> {
  readonly kind: 'reply';
  readonly value: T;
  readonly session: readonly SessionToken[];
}

export type StoreAnswer<T> = Promise<StoreReply<T> | Denial>;

/** Preconditions of object.put. `ifMatch` is a revision; `ifAbsent` is `If-None-Match: *`. */
export interface PutPrecondition {
  readonly ifMatch: number | null;
  readonly ifAbsent: boolean;
}

/** `sweeping`: the object is gone, but some of its edges are still being deleted. */
export interface ObjectGone {
  readonly deleted: boolean;
  readonly sweeping: boolean;
}

/** `replaced`: the type had an edge to this target already, which is gone. */
export interface EdgeMoved {
  readonly r: number;
  readonly timeMs: number;
  readonly replaced: boolean;
}

/** One thing that a commit does to its object or to an edge that starts there. No rule is an inverse's. */
export type CommitPart =
  | {
      readonly operation: 'object.put';
      readonly content: Uint8Array;
      readonly contentType: string;
      readonly precondition: PutPrecondition;
    }
  | {
      readonly operation: 'edge.put';
      readonly rule: EdgeRule;
      readonly toId: ObjectId;
      readonly timeMs: number;
      readonly data: Uint8Array | null;
    }
  | { readonly operation: 'edge.delete'; readonly rule: EdgeRule; readonly toId: ObjectId }
  | {
      readonly operation: 'edge.changeType';
      readonly rule: EdgeRule;
      readonly toId: ObjectId;
      readonly to: { readonly rule: EdgeRule; readonly dataMaxBytes: number };
    };

/** What a part of a commit came to: what the operation alone would have answered. */
export type CommitOutcome =
  | { readonly operation: 'object.put'; readonly r: number; readonly created: boolean }
  | {
      readonly operation: 'edge.put';
      readonly toId: ObjectId;
      readonly r: number;
      readonly timeMs: number;
      readonly created: boolean;
    }
  | { readonly operation: 'edge.delete'; readonly toId: ObjectId; readonly deleted: boolean }
  | ({ readonly operation: 'edge.changeType'; readonly toId: ObjectId; readonly edgeType: EdgeTypeName } & EdgeMoved);

/**
 * Every operation touches one partition and does bounded work (data layout and write protocol: docs/decisions).
 * Refusals of the protocol (`object_not_found`, `write_contended`, `store_unavailable`, …) come back as denials.
 */
export interface StorePort {
  getObject(key: ObjectKey, call: StoreCall): StoreAnswer<StoredObject>;
  putObject(
    key: ObjectKey,
    put: { readonly content: Uint8Array; readonly contentType: string; readonly precondition: PutPrecondition },
    call: WriteCall,
  ): StoreAnswer<{ readonly r: number; readonly created: boolean }>;
  deleteObject(
    key: ObjectKey,
    /** `mirrored`: the edge types of the object's type that have an inverse or are one. */
    on: { readonly ifMatch: number | null; readonly mirrored: readonly EdgeRule[] },
    call: WriteCall,
  ): StoreAnswer<ObjectGone>;
  getEdges(
    edge: { readonly from: ObjectKey; readonly rule: EdgeRule },
    want: { readonly toIds: readonly ObjectId[]; readonly afterMs: number | null; readonly beforeMs: number | null },
    call: StoreCall,
  ): StoreAnswer<readonly StoredEdge[]>;
  putEdge(
    edge: { readonly from: ObjectKey; readonly rule: EdgeRule; readonly toId: ObjectId },
    put: { readonly timeMs: number; readonly data: Uint8Array | null },
    call: WriteCall,
  ): StoreAnswer<{ readonly r: number; readonly timeMs: number; readonly created: boolean }>;
  deleteEdge(
    edge: { readonly from: ObjectKey; readonly rule: EdgeRule; readonly toId: ObjectId },
    call: WriteCall,
  ): StoreAnswer<{ readonly deleted: boolean }>;
  /** `rule` has the same ends as the edge's own, and is an inverse when that is one. `dataMaxBytes` is its type's. */
  changeEdgeType(
    edge: { readonly from: ObjectKey; readonly rule: EdgeRule; readonly toId: ObjectId },
    to: { readonly rule: EdgeRule; readonly dataMaxBytes: number },
    call: WriteCall,
  ): StoreAnswer<EdgeMoved>;
  countEdges(edge: { readonly from: ObjectKey; readonly rule: EdgeRule }, call: StoreCall): StoreAnswer<number>;
  /**
   * Newest first. `afterS` is the sort string of the last edge seen (exclusive), null from the start; then `pos` edges are
   * passed over; bounds inclusive.
   * Returns at most `limit` edges and whether more exist.
   */
  listEdges(
    edge: { readonly from: ObjectKey; readonly rule: EdgeRule },
    want: {
      readonly limit: number;
      readonly afterS: string | null;
      /** 0 unless told. */
      readonly pos?: number;
      readonly afterMs: number | null;
      readonly beforeMs: number | null;
    },
    call: StoreCall,
  ): StoreAnswer<{ readonly edges: readonly StoredEdge[]; readonly more: boolean }>;
  /**
   * The parts in order, all or none: at most 96 items, at most one put of the object. A refusal names the part in
   * `details.operation`.
   */
  commit(key: ObjectKey, parts: readonly CommitPart[], call: WriteCall): StoreAnswer<readonly CommitOutcome[]>;
  /** The tokens of two replies, the newer one where both name a range. */
  mergeSessions(earlier: readonly SessionToken[], later: readonly SessionToken[]): readonly SessionToken[];
}
