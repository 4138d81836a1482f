import type { Misfit } from './calls/answer.ts';
import type { Catalog, EdgeName, Ref, ToOf } from './catalog.ts';

/** A write that took effect. */
export interface Written<N extends string> {
  readonly conflict: null;
  readonly ref: Ref<N>;
  readonly version: string;
  readonly created: boolean;
  /** Content that was stored although it does not fit its type's schema. */
  readonly misfit: Misfit | null;
}

/** A precondition did not hold, so nothing was written: the object has another version, or it exists already. */
export interface Conflict {
  readonly conflict: 'version_conflict' | 'already_exists';
}

export interface Deleted {
  readonly conflict: null;
  /** False when there was nothing. */
  readonly deleted: boolean;
  /** Whether edges of the object are still being deleted. They are gone for every reader. */
  readonly sweeping: boolean;
}

export interface Edge<N extends string> {
  readonly to: Ref<N>;
  /** Epoch milliseconds; lists are newest first. */
  readonly time: number;
  readonly data?: string;
  readonly version: string;
}

export interface EdgeWritten<N extends string> {
  readonly to: Ref<N>;
  readonly time: number;
  readonly version: string;
  readonly created: boolean;
}

export interface EdgeDeleted {
  readonly deleted: boolean;
}

export interface EdgeMoved<T extends Catalog, E extends EdgeName<T>> {
  readonly to: Ref<ToOf<T, E>>;
  readonly type: E;
  readonly time: number;
  readonly version: string;
  /** Whether that type had an edge to this target already, which is gone. */
  readonly replaced: boolean;
}

export interface EdgePage<N extends string> {
  readonly edges: readonly Edge<N>[];
  /** Where the next page begins; null on the last one. */
  readonly cursor: string | null;
  /** Of a page asked for by `pos`, which has no cursor: whether edges follow it. */
  readonly more: boolean;
  /** The type's list cap cut the limit. */
  readonly limitClamped: boolean;
}
