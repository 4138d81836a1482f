const UNIT_US: Readonly<Record<string, number>> = { us: 1, µs: 1, ms: 1_000, s: 1_000_000 };

/** Microseconds from `20ms`, `1.5s`, `300us`; a bare number is milliseconds. Undefined when it is none. */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(us|µs|ms|s)?$/.exec(text);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * (UNIT_US[match[2] ?? 'ms'] ?? 1_000));
}
