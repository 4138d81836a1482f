import type { ObjectId } from '#gateway/contract/ids.ts';
import type { Grant } from './authorize.ts';
import type { Misfit } from './content-check.ts';
import type { TimeBounds } from './request.ts';
import type { CommitPart, EdgeRule, Idempotency, PutPrecondition } from './store-port.ts';

/** What the store is asked to do, bounded and complete. */
export type Work =
  | { readonly operation: 'object.get'; readonly ifNoneMatch: readonly string[] }
  | {
      readonly operation: 'object.put';
      readonly content: Uint8Array;
      readonly contentType: string;
      readonly precondition: PutPrecondition;
      readonly idempotency: Idempotency | null;
    }
  | {
      readonly operation: 'object.delete';
      readonly ifMatch: number | null;
      readonly idempotency: Idempotency | null;
    }
  | { readonly operation: 'commit'; readonly parts: readonly CommitPart[]; readonly idempotency: Idempotency | null }
  | EdgeWork;

export type EdgeWork = { readonly rule: EdgeRule } & (
  | ({ readonly operation: 'edge.get'; readonly toIds: readonly ObjectId[]; readonly single: boolean } & TimeBounds)
  | {
      readonly operation: 'edge.put';
      readonly toId: ObjectId;
      readonly timeMs: number;
      readonly data: Uint8Array | null;
      readonly idempotency: Idempotency | null;
    }
  | { readonly operation: 'edge.delete'; readonly toId: ObjectId; readonly idempotency: Idempotency | null }
  | {
      readonly operation: 'edge.changeType';
      readonly toId: ObjectId;
      readonly to: { readonly rule: EdgeRule; readonly dataMaxBytes: number };
      readonly idempotency: Idempotency | null;
    }
  | { readonly operation: 'edge.count' }
  | ({
      readonly operation: 'edge.list';
      readonly limit: number;
      readonly limitClamped: boolean;
      /** Sort string of the last edge of the page before; null from the start. */
      readonly afterS: string | null;
      /** Edges to pass over for a single page; null when the list is walked by its cursor. */
      readonly pos: number | null;
      /** What a cursor of this list is bound to. */
      readonly scope: string;
    } & TimeBounds)
);

declare const shaped: unique symbol;
/** A grant with its bounded work. Only `shape` makes one. */
export interface Shaped {
  readonly [shaped]: true;
  readonly grant: Grant;
  readonly work: Work;
}

export interface CursorPort {
  /** Seals the sort string of the last edge of a page. `scope` is bound but not carried. */
  seal(s: string, scope: string): string;
  /** The sort string, or null when the cursor is not one of this fleet's for this list, or expired. */
  open(cursor: string, scope: string): string | null;
}

export interface ShapePorts {
  readonly cursors: CursorPort;
  sha256Hex(parts: readonly (string | Uint8Array)[]): string;
  readonly nowMs: number;
  /** Takes note of content that does not fit its type's schema, whether or not that refuses it. */
  noteMisfit(misfit: Misfit): void;
}
