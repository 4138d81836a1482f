'use client';

import { useState } from 'react';

interface Held<Row> {
  /** Rows to show: those that were there first, each as it is now. */
  readonly rows: readonly Row[];
  /** Rows that arrived since; they wait. */
  readonly fresh: number;
  /** Shows them. */
  readonly release: () => void;
}

/**
 * Keeps the rows of a live list where they are: what arrives waits until somebody asks for it, so that nothing moves
 * under the pointer. A row on screen still shows its newest state. Another `listKey` is another list and starts over.
 */
export function useHeldPage<Row>(listKey: string, rows: readonly Row[], idOf: (row: Row) => string): Held<Row> {
  const [held, setHeld] = useState({ listKey, ids: rows.map(idOf), rows });
  const isOther = held.listKey !== listKey || (held.ids.length === 0 && rows.length > 0);
  const current = isOther ? { listKey, ids: rows.map(idOf), rows } : held;
  // React re-renders at once with the new list, before anything is painted.
  if (isOther) setHeld(current);
  const newest = new Map(rows.map((row) => [idOf(row), row]));
  const known = new Set(current.ids);
  return {
    rows: current.rows.map((row) => newest.get(idOf(row)) ?? row),
    fresh: rows.filter((row) => !known.has(idOf(row))).length,
    release: () => setHeld({ listKey, ids: rows.map(idOf), rows }),
  };
}
