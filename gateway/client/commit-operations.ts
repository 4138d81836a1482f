import type { Catalog, EdgeName, EdgeNameFrom, EdgeNameLike, ObjectName, Ref, ToOf } from './catalog.ts';
import { type Content, type ContentFor, contentFields } from './content.ts';
import type { EdgeContent } from './edge-operations.ts';
import { conditions, type Precondition, writtenOf } from './object-operations.ts';
import type { EdgeDeleted, EdgeMoved, EdgeWritten, Written } from './replies.ts';

/** One write of a commit, on its object or an edge that starts there. `R` is what it answers. */
export interface CommitPart<R> {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The type it writes, for bills. */
  readonly about: string;
  read(result: unknown): R;
}

/** The parts of a commit on an object of type `N`. Edges are named by type and target; they start at the object. */
export interface CommitParts<T extends Catalog, N extends ObjectName<T>> {
  put(content: ContentFor<T, N>, precondition?: Precondition): CommitPart<Written<N>>;
  putEdge<E extends EdgeNameFrom<T, N>>(edge: EdgeTo<T, E>, content?: EdgeContent): CommitPart<EdgeWritten<ToOf<T, E>>>;
  deleteEdge<E extends EdgeNameFrom<T, N>>(edge: EdgeTo<T, E>): CommitPart<EdgeDeleted>;
  changeType<E extends EdgeNameFrom<T, N>, F extends EdgeNameLike<T, E>>(
    edge: EdgeTo<T, E>,
    type: F,
  ): CommitPart<EdgeMoved<T, F>>;
}

export interface EdgeTo<T extends Catalog, E extends EdgeName<T>> {
  readonly type: E;
  readonly to: Ref<ToOf<T, E>>;
}

/** All parts took effect, with a result each, or none did since a precondition of one did not hold. */
export type Committed<R extends readonly unknown[]> =
  | { readonly conflict: null; readonly results: R }
  | {
      readonly conflict: 'version_conflict' | 'already_exists';
      /** Which part. */
      readonly operation: number;
    };

export type PartResults<P extends readonly CommitPart<unknown>[]> = {
  readonly [I in keyof P]: P[I] extends CommitPart<infer R> ? R : never;
};

interface RawMoved {
  readonly toId: string;
  readonly time: number;
  readonly version: string;
  readonly replaced: boolean;
}

interface AnyEdgeTo {
  readonly type: string;
  readonly to: Ref<string>;
}

export function commitParts(object: Ref<string>, toType: (edgeType: string) => string) {
  const fieldsOf = ({ type, to }: AnyEdgeTo) => ({ edgeType: type, toId: to.id });
  const to = (edgeType: string, id: string): Ref<string> => ({ type: toType(edgeType), id });
  return {
    put: (
      content: Content,
      { ifMatch, ifAbsent }: { readonly ifMatch?: string; readonly ifAbsent?: true } = {},
    ): CommitPart<Written<string>> => ({
      fields: { op: 'object.put', ...contentFields(content), ...conditions(ifMatch, ifAbsent) },
      about: object.type,
      read: (result) => writtenOf(object.type, { json: <B>() => result as B, misfit: null }),
    }),
    putEdge: (edge: AnyEdgeTo, { time, data }: EdgeContent = {}): CommitPart<EdgeWritten<string>> => ({
      fields: { op: 'edge.put', ...fieldsOf(edge), time, data },
      about: edge.type,
      read: (result) => {
        const { toId, ...rest } = result as { toId: string; time: number; version: string; created: boolean };
        return { to: to(edge.type, toId), ...rest };
      },
    }),
    deleteEdge: (edge: AnyEdgeTo): CommitPart<EdgeDeleted> => ({
      fields: { op: 'edge.delete', ...fieldsOf(edge) },
      about: edge.type,
      read: (result) => ({ deleted: (result as EdgeDeleted).deleted }),
    }),
    changeType: (edge: AnyEdgeTo, type: string) => ({
      fields: { op: 'edge.changeType', ...fieldsOf(edge), to: type },
      about: edge.type,
      read: (result: unknown) => {
        const { toId, time, version, replaced } = result as RawMoved;
        return { to: to(type, toId), type, time, version, replaced };
      },
    }),
  };
}
