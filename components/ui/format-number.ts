const WHOLE = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** A whole number with thousands separators: `41,200`. */
export const formatCount = (value: number): string => WHOLE.format(value);

/** A large count in short: `950`, `1.2 k`, `88 k`, `1.4 M`. */
export function formatShort(value: number): string {
  if (value < 1000) return formatCount(value);
  const [scaled, unit] = value < 1_000_000 ? [value / 1000, 'k'] : [value / 1_000_000, 'M'];
  return `${scaled < 10 ? Number(scaled.toFixed(1)) : Math.round(scaled)}\u00a0${unit}`;
}

/** Bytes in binary units: `512 B`, `64 KB`, `1.3 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const scaled = bytes / 1024 ** step;
  return `${scaled < 10 ? Number(scaled.toFixed(1)) : formatCount(scaled)}\u00a0${units[step]}`;
}

/** A share from 0 to 1: `0.02 %`, `4.1 %`, `92 %`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent >= 10 || percent === 0) return `${Math.round(percent)}\u00a0%`;
  return `${Number(percent.toFixed(percent >= 1 ? 1 : 2))}\u00a0%`;
}

/** Request units: `1.0 RU`, `41 RU`; no line breaks between the two. */
export const formatRu = (ru: number): string => `${ru < 10 ? ru.toFixed(1) : formatCount(ru)}\u00a0RU`;

/** A total that is exact up to 10,000. */
export const formatTotal = (total: number): string => (total > 10_000 ? 'more than 10,000' : formatCount(total));

/** `1 row`, `2 rows`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
