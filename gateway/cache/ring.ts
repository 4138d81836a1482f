/** Records one behind the other in a part of a buffer, first in first out. */
export interface Ring {
  /** Where the payload of a new record lies; null when the oldest have to go first. */
  append(slot: number, bytes: number): number | null;
  /** The slot of the oldest record that is not dead; null when there is none. */
  oldest(): number | null;
  /** Gives the oldest record's room back. */
  dropOldest(): void;
  /** Marks the record of a payload dead: its room comes back when its turn comes. */
  bury(payloadAt: number): void;
}

/** Size of the whole record, and the slot that it belongs to. */
const HEAD_BYTES = 8;
const DEAD = 0xffffffff;
const UNIT = 8;

/** A record lies in one piece: what is left at the end of the ring is filled by a dead one. */
export function openRing(buffer: Buffer, part: { readonly from: number; readonly bytes: number }): Ring {
  const size = part.bytes - (part.bytes % UNIT);
  let head = 0;
  let tail = 0;
  let used = 0;

  function write(slot: number, bytes: number): number {
    const at = part.from + head;
    buffer.writeUInt32LE(bytes, at);
    buffer.writeUInt32LE(slot, at + 4);
    head = (head + bytes) % size;
    used += bytes;
    return at + HEAD_BYTES;
  }

  function dropOldest(): void {
    const bytes = buffer.readUInt32LE(part.from + tail);
    tail = (tail + bytes) % size;
    used -= bytes;
  }

  return {
    append(slot, bytes) {
      const needed = recordBytes(bytes);
      const toEnd = size - head;
      const filler = needed > toEnd ? toEnd : 0;
      if (used + filler + needed > size) return null;
      if (filler > 0) write(DEAD, filler);
      return write(slot, needed);
    },
    oldest() {
      while (used > 0) {
        const slot = buffer.readUInt32LE(part.from + tail + 4);
        if (slot !== DEAD) return slot;
        dropOldest();
      }
      return null;
    },
    dropOldest,
    bury: (payloadAt) => {
      buffer.writeUInt32LE(DEAD, payloadAt - 4);
    },
  };
}

function recordBytes(payload: number): number {
  return Math.ceil((HEAD_BYTES + payload) / UNIT) * UNIT;
}
