/** Measured prices of the service by item size in KB: [KB, point read, write]. */
const PRICES = [
  [1, 1, 4.95],
  [4, 1.14, 6.67],
  [16, 1.67, 9.52],
  [64, 4.76, 22.67],
  [1_024, 146, 625],
] as const;

/** RU of a point read of an item of this size. */
export const readCharge = (sizeBytes: number): number => price(sizeBytes, 1);

/** RU of any write (create, replace, upsert, patch, delete) of an item of this size. */
export const writeCharge = (sizeBytes: number): number => price(sizeBytes, 2);

/**
 * RU of a page of a query. The service does not publish a formula; this one grows with the documents looked at and
 * their bytes, and starts where an empty single-partition query starts.
 */
export const queryCharge = (examined: number, examinedBytes: number): number =>
  round(2.8 + examined * 0.03 + (examinedBytes / 1024) * 0.02);

/** Linear between the measured sizes, the slope of the last pair beyond them. */
function price(sizeBytes: number, column: 1 | 2): number {
  const kb = sizeBytes / 1024;
  const [first] = PRICES;
  if (kb <= first[0]) return first[column];
  let low: readonly [number, number, number] = first;
  let high: readonly [number, number, number] = first;
  for (const entry of PRICES) {
    low = high;
    high = entry;
    if (kb <= entry[0]) break;
  }
  return round(low[column] + ((high[column] - low[column]) * (kb - low[0])) / (high[0] - low[0]));
}

const round = (ru: number): number => Math.round(ru * 100) / 100;
