import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import type { FaultBook } from '#gateway/emulator/faults/fault-book.ts';
import type { LagViews } from './lag-views.ts';
import type { RuBudget } from './ru-budget.ts';

/** One account: its data, which all of its regions serve, and the region that takes the writes. */
export interface Account {
  readonly name: string;
  /** Base64 master key. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly faults: FaultBook;
  readonly views: LagViews;
  readonly regions: readonly Region[];
  /** Draws replicas: 0 to 1, as `Math.random`. */
  readonly random: () => number;
  /** Name of the region that takes the writes; the others answer them 403/3. */
  writeRegion: string;
  /** Request units a second that one partition may use in one region; null is no limit. */
  partitionRuPerSecond: number | null;
}

export interface Region {
  readonly name: string;
  readonly account: Account;
  readonly budget: RuBudget;
  readonly host: string;
  /** Known once the region listens. */
  port: number;
  requests: number;
  throttled: number;
  /** Requests that a `slow` fault keeps waiting. */
  waiting: number;
}

export const urlOf = ({ host, port }: Region): string => `http://${host}:${port}`;

export const takesWrites = ({ name, account }: Region): boolean => name === account.writeRegion;
