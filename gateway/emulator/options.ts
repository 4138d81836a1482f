import type { ConsistencyLevel } from '#gateway/contract/local-cosmos.ts';
import { EMULATOR_KEY } from './http/authenticate.ts';

export interface RegionOptions {
  readonly name: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export interface AccountOptions {
  readonly name: string;
  readonly key?: string | undefined;
  readonly consistency?: ConsistencyLevel | undefined;
  readonly partitionRuPerSecond?: number | null | undefined;
  /** The first takes the writes, until a failover. */
  readonly regions: readonly RegionOptions[];
}

export interface EmulatorOptions {
  /** Folder of the data; made when missing. One endpoint at a time. */
  readonly dir: string;
  /** One account, `habitat-local`, with one region on this port; 0 picks a free one. In place of `accounts`. */
  readonly port?: number;
  readonly accounts?: readonly AccountOptions[];
  /** Base64 master key of accounts without one of their own; Azure's well-known emulator key by default. */
  readonly key?: string;
  /** Level of accounts that name none; BoundedStaleness by default. */
  readonly consistency?: ConsistencyLevel;
  /** PEM of the RSA key whose Entra ID tokens are accepted beside the master key; none by default. */
  readonly entraPublicKey?: string;
  /** Request units a second that one logical partition may use in one region; 10,000 by default, null for no limit. */
  readonly partitionRuPerSecond?: number | null;
  /** Bytes that one logical partition may hold; 20 GB by default. */
  readonly partitionBytes?: number;
  /** Serves the admin API of `gateway/contract/local-cosmos.ts`; absent for none, 0 for a free port. */
  readonly adminPort?: number;
  /** Made at random when there is none. */
  readonly adminToken?: string;
  readonly host?: string;
  /** Epoch milliseconds; decides time to live, `_ts`, budgets, lags and the age of signatures. */
  readonly nowMs?: () => number;
  /** Draws which requests a fault meets and which replica serves a read: 0 to 1, as `Math.random`. */
  readonly random?: () => number;
  /** The disk refused a flush: nothing acknowledged from here on would be durable. */
  readonly onFatal?: (error: Error) => void;
  readonly onUnexpected?: (error: unknown) => void;
  /** Hears of what the endpoint did by itself. */
  readonly onNotice?: (message: string) => void;
}

export const DEFAULT_ACCOUNT = 'habitat-local';
const DEFAULT_REGION = 'Local';

/** The limit of the service for one logical partition. */
const PARTITION_RU_PER_SECOND = 10_000;

/** An account as it will run: every choice made. */
export interface AccountPlan {
  readonly name: string;
  readonly key: string;
  readonly entraPublicKey: string | null;
  readonly consistency: ConsistencyLevel;
  readonly partitionRuPerSecond: number | null;
  readonly regions: readonly RegionOptions[];
}

const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{1,42}[a-z0-9]$/;
const REGION_NAME = /^[A-Za-z0-9]([A-Za-z0-9 ]{0,48}[A-Za-z0-9])?$/;

/** Fills in the defaults. Refuses, in one sentence, what cannot run. */
export function planAccounts(options: EmulatorOptions): readonly AccountPlan[] {
  const single = { name: DEFAULT_ACCOUNT, regions: [{ name: DEFAULT_REGION, port: options.port ?? 0 }] };
  const accounts = options.accounts ?? [single];
  if (accounts.length === 0) throw new Error('An endpoint needs at least one account.');
  requireUnique(
    'account',
    accounts.map(({ name }) => name),
  );
  const regions = accounts.flatMap((account) => account.regions);
  requireUnique(
    'port',
    regions.filter(({ port }) => port !== 0).map(({ port }) => String(port)),
  );
  return accounts.map((account) => planAccount(account, options));
}

function planAccount(account: AccountOptions, options: EmulatorOptions): AccountPlan {
  const { name, regions } = account;
  if (!ACCOUNT_NAME.test(name)) {
    throw new Error(`${name} is not the name of an account: use 3 to 44 lower-case letters, digits and hyphens.`);
  }
  if (regions.length === 0) throw new Error(`The account ${name} needs at least one region.`);
  const names = regions.map((region) => region.name);
  const misnamed = names.find((region) => !REGION_NAME.test(region));
  if (misnamed !== undefined) {
    throw new Error(`${misnamed} is not the name of a region: use letters, digits and spaces.`);
  }
  requireUnique(`region of ${name}`, names);
  for (const { port } of regions) requirePort(port);
  return {
    name,
    key: account.key ?? options.key ?? EMULATOR_KEY,
    entraPublicKey: options.entraPublicKey ?? null,
    consistency: account.consistency ?? options.consistency ?? 'BoundedStaleness',
    partitionRuPerSecond: firstDefined(
      account.partitionRuPerSecond,
      options.partitionRuPerSecond,
      PARTITION_RU_PER_SECOND,
    ),
    regions,
  };
}

export function requirePort(port: number): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${port} is not a port: use 0 to 65535.`);
}

function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`The ${what} ${twice} is named twice.`);
}

const firstDefined = <T>(first: T | undefined, second: T | undefined, last: T): T => {
  if (first !== undefined) return first;
  return second !== undefined ? second : last;
};
