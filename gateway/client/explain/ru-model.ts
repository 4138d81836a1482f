/**
 * What an operation costs the store, RU, as gateways reckon it before they know (a test holds the two equal). For reads
 * of objects: 1 for the first KB and about 0.06 for each more.
 */
export function listRu(limit: number): number {
  return 4 + 0.03 * limit;
}

export const COUNT_RU = 1;

/** From what Cosmos DB charges: 1 KB 1, 4 KB 1.14, 16 KB 1.67, 64 KB 4.76. */
export function objectRu(sizeBytes: number): number {
  return 1 + 0.06 * Math.max(0, sizeBytes / 1_024 - 1);
}
