/** The highest of a number that goes up and down, over a sliding window made of equal parts. */
export interface Peaks {
  note(value: number): void;
  /** Begins the next part, which starts at `value`; the oldest part is forgotten. */
  next(value: number): void;
  highest(): number;
}

export function createPeaks(parts: number): Peaks {
  const highs: number[] = new Array(parts).fill(0);
  let at = 0;
  let current = 0;
  return {
    note(value) {
      if (value > current) current = value;
    },
    next(value) {
      highs[at] = current;
      at = (at + 1) % parts;
      current = value;
    },
    highest: () => Math.max(current, ...highs),
  };
}
