import type { ObjectId } from '#gateway/contract/ids.ts';
import type { HeldEdge, HeldObject } from '#gateway/pipeline/serving-port.ts';
import { bytesBytes, NUMBER_BYTES, type Reader, textBytes, type Writer } from './bytes.ts';

/** How values of one kind lie in the slab. */
export interface Codec<T> {
  sizeOf(value: T): number;
  write(writer: Writer, value: T): void;
  read(reader: Reader): T;
}

export interface EdgeList {
  readonly edges: readonly HeldEdge[];
  /** Whether the object has more edges than these. */
  readonly more: boolean;
}

export const COUNT: Codec<number> = {
  sizeOf: () => NUMBER_BYTES,
  write: (writer, value) => writer.number(value),
  read: (reader) => reader.number(),
};

/** Null when there is none. */
export const OBJECT: Codec<HeldObject | null> = orNothing({
  sizeOf: ({ contentType, content }) => NUMBER_BYTES + textBytes(contentType) + bytesBytes(content),
  write: (writer, { r, contentType, content }) => {
    writer.number(r);
    writer.text(contentType);
    writer.bytes(content);
  },
  read: (reader) => ({
    kind: 'heldObject',
    r: reader.number(),
    contentType: reader.text(),
    content: reader.bytes(),
  }),
});

const SOME_EDGE: Codec<HeldEdge> = {
  sizeOf: ({ toId, s, data }) =>
    2 * NUMBER_BYTES + textBytes(toId) + textBytes(s) + 1 + (data === null ? 0 : bytesBytes(data)),
  write: (writer, { toId, r, timeMs, s, data }) => {
    writer.text(toId);
    writer.number(r);
    writer.number(timeMs);
    writer.text(s);
    writer.byte(data === null ? 0 : 1);
    if (data !== null) writer.bytes(data);
  },
  read: (reader) => ({
    kind: 'heldEdge',
    // It was one when it was put here, and nobody else writes to this memory.
    toId: reader.text() as ObjectId,
    r: reader.number(),
    timeMs: reader.number(),
    s: reader.text(),
    data: reader.byte() === 0 ? null : reader.bytes(),
  }),
};

/** Null when there is none. */
export const EDGE: Codec<HeldEdge | null> = orNothing(SOME_EDGE);

/** The beginning of a list; no more than `limit` edges of it are read. */
export function listOf(limit: number): Codec<EdgeList & { readonly isEnough: boolean }> {
  return {
    sizeOf: ({ edges }) => edges.reduce((sum, edge) => sum + SOME_EDGE.sizeOf(edge), 1 + NUMBER_BYTES),
    write: (writer, { edges, more }) => {
      writer.byte(more ? 1 : 0);
      writer.number(edges.length);
      for (const edge of edges) SOME_EDGE.write(writer, edge);
    },
    read: (reader) => {
      const more = reader.byte() === 1;
      const length = reader.number();
      const isEnough = limit <= length || !more;
      const edges = Array.from({ length: isEnough ? Math.min(limit, length) : 0 }, () => SOME_EDGE.read(reader));
      return { edges, more: more || limit < length, isEnough };
    },
  };
}

function orNothing<T>(codec: Codec<T>): Codec<T | null> {
  return {
    sizeOf: (value) => 1 + (value === null ? 0 : codec.sizeOf(value)),
    write: (writer, value) => {
      writer.byte(value === null ? 0 : 1);
      if (value !== null) codec.write(writer, value);
    },
    read: (reader) => (reader.byte() === 0 ? null : codec.read(reader)),
  };
}
