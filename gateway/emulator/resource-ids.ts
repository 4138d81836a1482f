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

export function itemRid(containerRidText: string, doc: number): string {
  const bytes = Buffer.alloc(16);
  Buffer.from(containerRidText.replaceAll('-', '/'), 'base64').copy(bytes, 0);
  bytes.writeBigUInt64LE(BigInt(doc), 8);
  return encode(bytes);
}

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
