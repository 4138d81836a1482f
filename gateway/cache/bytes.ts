/** Puts values into a buffer, one behind the other. */
export interface Writer {
  number(value: number): void;
  byte(value: number): void;
  text(value: string): void;
  bytes(value: Uint8Array): void;
}

/** Takes them out again in the same order. */
export interface Reader {
  number(): number;
  byte(): number;
  text(): string;
  /** A copy: what lies in the buffer may move or go. */
  bytes(): Buffer;
}

const LENGTH_BYTES = 4;

export const NUMBER_BYTES = 8;

export function textBytes(text: string): number {
  return LENGTH_BYTES + Buffer.byteLength(text);
}

export function bytesBytes(bytes: Uint8Array): number {
  return LENGTH_BYTES + bytes.length;
}

export function createWriter(buffer: Buffer, from: number): Writer {
  let at = from;
  const sized = (length: number) => {
    at = buffer.writeUInt32LE(length, at);
  };
  return {
    number: (value) => {
      at = buffer.writeDoubleLE(value, at);
    },
    byte: (value) => {
      at = buffer.writeUInt8(value, at);
    },
    text: (value) => {
      const length = buffer.write(value, at + LENGTH_BYTES);
      sized(length);
      at += length;
    },
    bytes: (value) => {
      sized(value.length);
      buffer.set(value, at);
      at += value.length;
    },
  };
}

export function createReader(buffer: Buffer, from: number): Reader {
  let at = from;
  const end = () => {
    const length = buffer.readUInt32LE(at);
    at += LENGTH_BYTES;
    return at + length;
  };
  return {
    number: () => {
      at += NUMBER_BYTES;
      return buffer.readDoubleLE(at - NUMBER_BYTES);
    },
    byte: () => {
      at += 1;
      return buffer.readUInt8(at - 1);
    },
    text: () => {
      const until = end();
      const text = buffer.toString('utf8', at, until);
      at = until;
      return text;
    },
    bytes: () => {
      const until = end();
      const copy = Buffer.from(buffer.subarray(at, until));
      at = until;
      return copy;
    },
  };
}
