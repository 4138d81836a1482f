import { createPeaks } from './peaks.ts';
import type { Stock } from './stock.ts';

export interface TrimSettings {
  readonly now: () => number;
  readonly baseConnections: number;
  readonly calmMs: number;
  readonly tickMs: number;
}

export interface Trim {
  /** To be called when connections were taken. */
  notePeak(): void;
  stop(): void;
}

/**
 * Closes, once a tick, idle connections that would be too old at the next one, and those beyond the base and the most
 * that were in use lately; the longest idle go first. From a burst to the base it takes at most `calmMs` and two ticks.
 */
export function startTrim(stock: Stock, settings: TrimSettings): Trim {
  const { now, baseConnections, calmMs, tickMs } = settings;
  const peaks = createPeaks(Math.ceil(calmMs / tickMs));
  const inUse = () => stock.size() - stock.idle.length;
  const ticking = setInterval(() => {
    const keep = Math.max(baseConnections, peaks.highest());
    const old = stock.idle.filter((connection) => connection.retireAtMs <= now() + tickMs);
    const young = stock.idle.filter((connection) => !old.includes(connection));
    const surplus = Math.max(0, stock.size() - old.length - keep);
    stock.idle.splice(0, Infinity, ...young.slice(surplus));
    for (const connection of [...old, ...young.slice(0, surplus)]) stock.discard(connection);
    peaks.next(inUse());
  }, tickMs).unref();
  return {
    notePeak: () => peaks.note(inUse()),
    stop: () => clearInterval(ticking),
  };
}
