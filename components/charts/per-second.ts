import { formatCount, formatShort } from '#components/ui/format-number.ts';

/** A rate: `0.2/s`, `14/s`, `1.2 k/s`. */
export function perSecondWords(rate: number): string {
  if (rate === 0) return '0';
  if (rate < 10) return `${Number(rate.toFixed(rate < 1 ? 2 : 1))}/s`;
  return `${rate < 1_000 ? formatCount(rate) : formatShort(rate)}/s`;
}
