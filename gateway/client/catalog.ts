/**
 * What a client knows of the registry: the object types and, for each edge type, the object types at its ends.
 * `npx habitat types` writes it; a small one can be written by hand. Nothing of it is sent.
 */
export interface Catalog {
  readonly objects: Readonly<Record<string, ObjectEntry>>;
  readonly edges: Readonly<Record<string, EdgeEntry>>;
}

export interface ObjectEntry {
  /** Largest content, bytes. */
  readonly maxBytes?: number;
  /** A type alone, never a value: what the JSON of its content is. Absent when content may be anything. */
  readonly content?: unknown;
}

export interface EdgeEntry {
  readonly from: string;
  readonly to: string;
  readonly cardinality?: 'many' | 'one';
  /** Most edges of one page. */
  readonly listCap?: number;
  readonly maxEdges?: number;
  readonly dataMaxBytes?: number;
}

export type ObjectName<T extends Catalog> = keyof T['objects'] & string;
export type EdgeName<T extends Catalog> = keyof T['edges'] & string;
export type FromOf<T extends Catalog, E extends EdgeName<T>> = T['edges'][E]['from'];
export type ToOf<T extends Catalog, E extends EdgeName<T>> = T['edges'][E]['to'];

/** Edge types that start from an object type. */
export type EdgeNameFrom<T extends Catalog, N extends string> = {
  [E in EdgeName<T>]: N extends FromOf<T, E> ? E : never;
}[EdgeName<T>];

/** Edge types with the same ends, to which an edge can change. */
export type EdgeNameLike<T extends Catalog, E extends EdgeName<T>> = {
  [F in EdgeName<T>]: [FromOf<T, F>, ToOf<T, F>] extends [FromOf<T, E>, ToOf<T, E>] ? F : never;
}[EdgeName<T>];

/** What the JSON of an object's content is, `unknown` when the type has no content schema. */
export type ContentOf<T extends Catalog, N extends ObjectName<T>> = T['objects'][N] extends {
  readonly content?: infer C;
}
  ? Exclude<C, undefined>
  : unknown;

/** One object: its type and its id. Names of two types do not mix. */
export interface Ref<N extends string> {
  readonly type: N;
  readonly id: string;
}

/** The edges of one type that start at one object. */
export interface EdgesRef<T extends Catalog, E extends EdgeName<T>> {
  readonly from: Ref<FromOf<T, E>>;
  readonly type: E;
}

/** One edge. */
export interface EdgeRef<T extends Catalog, E extends EdgeName<T>> extends EdgesRef<T, E> {
  readonly to: Ref<ToOf<T, E>>;
}
