import type { IncomingHttpHeaders } from 'node:http';

/** Longer waits are nothing that a request would sit out, and nothing that a client should be told on a proxy's word. */
const LONGEST_WAIT_MS = 60_000;

export const RETRY_AFTER_MS = 'x-ms-retry-after-ms';

/** A header that is a number of zero or more; 0 for everything else. */
export function amountOf(header: string | string[] | undefined): number {
  const value = Number(header);
  return Number.isFinite(value) && value > 0 ? value : 0;
}

/** How long a failed reply asks to wait, in milliseconds: Cosmos's header, or HTTP's own in seconds; null for neither. */
export function retryAfterOf(headers: IncomingHttpHeaders): number | null {
  const own = headers[RETRY_AFTER_MS];
  const inMs = own === undefined ? seconds(headers['retry-after']) * 1_000 : Number(own || Number.NaN);
  return Number.isFinite(inMs) && inMs >= 0 ? Math.min(Math.ceil(inMs), LONGEST_WAIT_MS) : null;
}

function seconds(header: string | undefined): number {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : Number.NaN;
}

/** The few methods of the SDK's header type, over the plain record that undici gives. */
export function sdkHeaders(raw: IncomingHttpHeaders, retryAfterMs: number | null) {
  const record: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) record[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  // The SDK parses it loosely and knows no other name of it.
  delete record[RETRY_AFTER_MS];
  if (retryAfterMs !== null) record[RETRY_AFTER_MS] = String(retryAfterMs);
  return {
    get: (name: string) => record[name.toLowerCase()],
    has: (name: string) => name.toLowerCase() in record,
    set: (name: string, value: string | number | boolean) => {
      record[name.toLowerCase()] = String(value);
    },
    delete: (name: string) => {
      delete record[name.toLowerCase()];
    },
    toJSON: () => record,
    [Symbol.iterator]: () => Object.entries(record)[Symbol.iterator](),
  };
}
