import { expect, it } from 'vitest';
import { readCharge, writeCharge } from '#gateway/emulator/items/charge.ts';

const KB = 1024;

it.each([
  [1, 1, 4.95],
  [4, 1.14, 6.67],
  [16, 1.67, 9.52],
  [64, 4.76, 22.67],
  [1024, 146, 625],
])('an item of %i KB costs what was measured: %f to read, %f to write', (kb, read, write) => {
  expect(readCharge(kb * KB)).toBe(read);
  expect(writeCharge(kb * KB)).toBe(write);
});

it('never costs less than the smallest item, and grows with every byte in between', () => {
  expect(readCharge(10)).toBe(1);
  expect(writeCharge(0)).toBe(4.95);
  for (let kb = 1; kb < 2_048; kb += 7) {
    expect(writeCharge((kb + 7) * KB)).toBeGreaterThan(writeCharge(kb * KB));
  }
});
