import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ControlRefused } from './admin/control-refused.ts';
import { type Controls, createControls } from './admin/controls.ts';
import { serveAdmin } from './admin/serve-admin.ts';
import { createFaultBook } from './faults/fault-book.ts';
import { applyFault, liftFault, type Place } from './faults/place-fault.ts';
import { type AccountPlan, DEFAULT_ACCOUNT, type EmulatorOptions, planAccounts, requirePort } from './options.ts';
import { type AccountSurroundings, openAccount } from './regions/open-account.ts';
import { openRegion } from './regions/open-region.ts';
import { type Account, urlOf } from './regions/region.ts';

export interface RunningRegion {
  readonly name: string;
  readonly url: string;
  readonly port: number;
}

export interface RunningAccount {
  readonly name: string;
  readonly key: string;
  readonly regions: readonly RunningRegion[];
}

export interface RunningEmulator extends Controls {
  /** The next three are those of the first region of the first account. */
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly accounts: readonly RunningAccount[];
  readonly admin: { readonly url: string; readonly token: string } | undefined;
  /** Finishes what is in flight, flushes and releases the folder. */
  close(): Promise<void>;
}

/** Undone in reverse, whether everything came up or not. */
type Undo = (() => Promise<void>)[];

/** Starts a Cosmos-compatible endpoint over the folder. Rejects with one clear sentence when folder or port fail. */
export async function startEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  const plans = planAccounts(options);
  const undo: Undo = [];
  const close = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return { ...(await open(options, plans, undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: EmulatorOptions,
  plans: readonly AccountPlan[],
  undo: Undo,
): Promise<Omit<RunningEmulator, 'close'>> {
  const around = surroundingsOf(options);
  const place: Place = { accounts: [], regions: [] };
  const faults = createFaultBook({
    nowMs: around.nowMs,
    random: around.random,
    onAdded: (fault) => applyFault(place, fault),
    onRemoved: (fault, remaining) => liftFault(place, fault, remaining),
  });
  for (const plan of plans) {
    const opened = openAccount(plan, { ...around, faults, dir: folderOf(options.dir, plan.name) });
    undo.push(opened.close);
    place.accounts.push(opened.account);
  }
  for (const region of place.accounts.flatMap(({ regions }) => regions)) {
    const opened = await openRegion(region, around.onUnexpected);
    undo.push(opened.close);
    place.regions.push(opened);
  }
  const controls = createControls({ accounts: place.accounts, faults, settled: () => settled(place) });
  const admin = await openAdmin(options, controls, around);
  if (admin !== undefined) undo.push(admin.close);
  return { ...controls, ...whatRuns(place.accounts), admin };
}

type Around = Omit<AccountSurroundings, 'dir' | 'faults'>;

function surroundingsOf(options: EmulatorOptions): Around {
  return {
    host: options.host ?? '127.0.0.1',
    partitionBytes: options.partitionBytes,
    nowMs: options.nowMs ?? Date.now,
    random: options.random ?? Math.random,
    onFatal: options.onFatal ?? endProcess,
    onUnexpected: options.onUnexpected ?? reportToStderr,
    onNotice: options.onNotice ?? ((message) => void process.stderr.write(`${message}\n`)),
  };
}

/** While a region refused, its port was anyone's, and may be another's now. */
async function settled({ regions }: Place): Promise<void> {
  try {
    await Promise.all(regions.map((region) => region.settled()));
  } catch (error) {
    throw new ControlRefused(409, `The fault is off, and a region cannot listen again: ${(error as Error).message}`);
  }
}

/** The first account to have existed lies in the folder itself; so another one beside it moves nothing. */
const folderOf = (dir: string, account: string): string => (account === DEFAULT_ACCOUNT ? dir : join(dir, account));

async function openAdmin(options: EmulatorOptions, controls: Controls, { host, onUnexpected }: Around) {
  const { adminPort: port, adminToken } = options;
  if (port === undefined) return undefined;
  requirePort(port);
  const token = adminToken ?? randomBytes(32).toString('base64url');
  return { ...(await serveAdmin({ controls, token, host, port, onUnexpected })), token };
}

function whatRuns(accounts: readonly Account[]): Pick<RunningEmulator, 'accounts' | 'url' | 'port' | 'key'> {
  const running = accounts.map(({ name, key, regions }) => ({
    name,
    key,
    regions: regions.map((region) => ({ name: region.name, url: urlOf(region), port: region.port })),
  }));
  const [first] = running;
  return {
    accounts: running,
    url: first?.regions[0]?.url ?? '',
    port: first?.regions[0]?.port ?? 0,
    key: first?.key ?? '',
  };
}

function endProcess(error: Error): void {
  process.stderr.write(`The disk refused a write: ${error.message}. The Cosmos endpoint stops.\n`);
  process.exit(1);
}

function reportToStderr(error: unknown): void {
  process.stderr.write(
    `The Cosmos endpoint failed on a request: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
}
