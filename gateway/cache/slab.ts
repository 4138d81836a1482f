import { hashText } from '#gateway/store/hash-text.ts';
import { openRing, type Ring } from './ring.ts';

export interface SlabOptions {
  readonly bytes: number;
  /** Most entries, whatever their size: each has a key on the heap. */
  readonly maxEntries: number;
}

/** Where an entry's payload lies in the slab's buffer, until something is put or dropped. */
export interface Found {
  readonly at: number;
  readonly bytes: number;
}

export interface NewEntry {
  readonly key: string;
  /** Entries that `dropGroup` drops together. */
  readonly group: string;
  readonly bytes: number;
  /** Writes exactly so many bytes. */
  write(buffer: Buffer, at: number): void;
}

/** Entries in one buffer, bounded in bytes and number. The bytes of what goes or moves are wiped. */
export interface Slab {
  readonly buffer: Buffer;
  /** Counts as a visit, which keeps the entry longer. */
  find(key: string): Found | null;
  /** Replaces the key's entry. One that is too large for the slab is not kept. */
  put(entry: NewEntry): void;
  drop(key: string): void;
  /** Drops all entries of a group. */
  dropGroup(group: string): void;
  entries(): number;
}

interface Slot {
  readonly index: number;
  readonly key: string;
  readonly group: string;
  readonly bytes: number;
  at: number;
  visits: number;
  ring: Ring;
}

const SMALL_SHARE = 8;
/** No entry takes more than this part of the small ring: it would push out too many others. */
const LARGEST_SHARE = 4;
const MOST_VISITS = 3;

/**
 * S3-FIFO (https://s3fifo.com, SOSP 2023): an entry begins in a small ring and moves to the main one only if it was asked for
 * again before its turn came; there each visit, up to three, earns one more round. Keys that left the small ring unvisited
 * are remembered by hash, and when they come back go to the main ring at once. Nothing but FIFO order is kept, so a hit
 * writes one number, and what is kept needs no list and leaves no holes: the rings are the order.
 */
export function openSlab({ bytes, maxEntries }: SlabOptions): Slab {
  const buffer = Buffer.alloc(bytes);
  const smallBytes = Math.floor(bytes / SMALL_SHARE / 8) * 8;
  const largest = Math.floor(smallBytes / LARGEST_SHARE);
  const small = openRing(buffer, { from: 0, bytes: smallBytes });
  const main = openRing(buffer, { from: smallBytes, bytes: bytes - smallBytes });
  const slots = new Map<string, Slot>();
  const groups = new Map<string, Set<Slot>>();
  const byIndex: (Slot | undefined)[] = [];
  const free: number[] = [];
  const ghosts = openGhosts(maxEntries);
  const moving = Buffer.allocUnsafe(largest);

  function release(slot: Slot): void {
    buffer.fill(0, slot.at, slot.at + slot.bytes);
    slots.delete(slot.key);
    byIndex[slot.index] = undefined;
    free.push(slot.index);
    const group = groups.get(slot.group);
    group?.delete(slot);
    if (group?.size === 0) groups.delete(slot.group);
  }

  function oldestOf(ring: Ring): Slot {
    const index = ring.oldest();
    const slot = index === null ? undefined : byIndex[index];
    if (slot === undefined) throw new Error('Room was asked of an empty ring.');
    return slot;
  }

  function evictFromSmall(): void {
    const slot = oldestOf(small);
    if (slot.visits === 0) {
      ghosts.add(slot.key);
      release(slot);
    } else {
      const at = roomInMain(slot);
      buffer.copyWithin(at, slot.at, slot.at + slot.bytes);
      buffer.fill(0, slot.at, slot.at + slot.bytes);
      Object.assign(slot, { at, visits: 0, ring: main });
    }
    small.dropOldest();
  }

  function evictFromMain(): void {
    const slot = oldestOf(main);
    const end = slot.at + slot.bytes;
    // Its new place may overlap the one that it leaves.
    buffer.copy(moving, 0, slot.at, end);
    buffer.fill(0, slot.at, end);
    main.dropOldest();
    const at = slot.visits > 0 ? main.append(slot.index, slot.bytes) : null;
    if (at !== null) moving.copy(buffer, at, 0, slot.bytes);
    moving.fill(0, 0, slot.bytes);
    // Where the ring closes there may be no room in one piece; then it goes in spite of its visits, once a round.
    if (at === null) release(slot);
    else Object.assign(slot, { at, visits: slot.visits - 1 });
  }

  function roomInMain({ index, bytes: needed }: Pick<Slot, 'index' | 'bytes'>): number {
    for (;;) {
      const at = main.append(index, needed);
      if (at !== null) return at;
      evictFromMain();
    }
  }

  function roomInSmall({ index, bytes: needed }: Pick<Slot, 'index' | 'bytes'>): number {
    for (;;) {
      const at = small.append(index, needed);
      if (at !== null) return at;
      evictFromSmall();
    }
  }

  /** A free index, for which something may have to go. */
  function takeIndex(): number {
    while (slots.size >= maxEntries) {
      if (small.oldest() === null) evictFromMain();
      else evictFromSmall();
    }
    return free.pop() ?? slots.size;
  }

  function drop(key: string): void {
    const slot = slots.get(key);
    if (slot === undefined) return;
    slot.ring.bury(slot.at);
    release(slot);
  }

  return {
    buffer,
    find(key) {
      const slot = slots.get(key);
      if (slot === undefined) return null;
      if (slot.visits < MOST_VISITS) slot.visits += 1;
      return slot;
    },
    put({ key, group, bytes: needed, write }) {
      const isKnown = slots.has(key) || ghosts.has(key);
      drop(key);
      if (needed > largest) return;
      const index = takeIndex();
      const ring = isKnown ? main : small;
      const at = (isKnown ? roomInMain : roomInSmall)({ index, bytes: needed });
      const slot: Slot = { index, key, group, bytes: needed, at, visits: 0, ring };
      byIndex[index] = slot;
      slots.set(key, slot);
      const members = groups.get(group);
      if (members === undefined) groups.set(group, new Set([slot]));
      else members.add(slot);
      write(buffer, at);
    },
    drop,
    dropGroup(group) {
      for (const { key } of [...(groups.get(group) ?? [])]) drop(key);
    },
    entries: () => slots.size,
  };
}

/** Keys by hash, in a table in which a newer one takes the place of an older one: it forgets about as a queue would. */
function openGhosts(size: number): { add(key: string): void; has(key: string): boolean } {
  const table = new Uint32Array(size);
  return {
    add: (key) => {
      const hash = hashText(key);
      table[hash % size] = hash;
    },
    has: (key) => {
      const hash = hashText(key);
      return table[hash % size] === hash;
    },
  };
}
