/**
 * Resource ids as the service shapes them: 4 bytes for a database, 8 for a container, 16 for an item, in base64
 * with `-` for `/`. Clients key their session tokens on the 8-byte form, so the lengths matter.
 */
export function databaseRid(databaseNum: number): string {
  return encode(databaseBytes(databaseNum));
}

export function containerRid(databaseNum: number, containerNum: number): string {
  return encode(containerBytes(databaseNum, containerNum));
}

/** Made for every item of a page, so it starts from the bytes of its container. */
export function itemRid(ridBytes: Buffer, doc: number): string {
  const bytes = Buffer.allocUnsafe(16);
  ridBytes.copy(bytes);
  bytes.writeUInt32LE(doc % U32, 8);
  bytes.writeUInt32LE(Math.floor(doc / U32), 12);
  return encode(bytes);
}

const U32 = 2 ** 32;

export const ridBytesOf = (rid: string): Buffer => Buffer.from(rid.replaceAll('-', '/'), 'base64');

function databaseBytes(databaseNum: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(databaseNum);
  return bytes;
}

function containerBytes(databaseNum: number, containerNum: number): Buffer {
  const bytes = Buffer.alloc(8);
  databaseBytes(databaseNum).copy(bytes);
  bytes.writeUInt32BE((0x80000000 | containerNum) >>> 0, 4);
  return bytes;
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('/', '-');
