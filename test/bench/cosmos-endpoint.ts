import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Container, CosmosClient } from '@azure/cosmos';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { newItem, PARTITIONS, type Requests, rawRequests, sdkRequests } from './cosmos-requests.ts';

/**
 * What the local Cosmos endpoint serves, and what one request costs it: `npm run bench:cosmos -- [seconds]`. The endpoint
 * is a process of its own with its usual budgets and no fault on; the load comes from this process, through the SDK
 * with its own transport and as signed requests over undici. CPU of the endpoint is read from /proc, so Linux alone
 * tells it; it counts all threads, the one that moves the log into the database too.
 */
const SECONDS = Number(process.argv[2] ?? 5);
/** Enough for both sides to be compiled; at least two seconds, at most twenty. */
const WARM_UP_REQUESTS = 5_000;
const IN_FLIGHT = 32;
const MAIN = resolve(import.meta.dirname, '../../gateway/emulator/main.ts');

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'habitat-bench-'));
  const endpoint = await startEndpoint(dir);
  const client = new CosmosClient({ endpoint: endpoint.url, key: EMULATOR_KEY });
  try {
    const container = await fill(client);
    const raw = rawRequests(endpoint.url, IN_FLIGHT);
    await compare(endpoint.child, { 'SDK, own transport': sdkRequests(container), 'signed over undici': raw.requests });
    await raw.close();
  } finally {
    client.dispose();
    endpoint.child.kill('SIGTERM');
    await once(endpoint.child, 'exit');
    await rm(dir, { recursive: true, force: true });
  }
}

async function compare(endpoint: ChildProcess, lanes: Readonly<Record<string, Requests>>): Promise<void> {
  for (const [lane, requests] of Object.entries(lanes)) {
    await warmUp(requests.read);
    say(`${lane}: point reads of 1 KB`, await measured(endpoint, () => load(requests.read, SECONDS)));
    await warmUp(requests.batch);
    say(`${lane}: batches of three creates`, await measured(endpoint, () => load(requests.batch, SECONDS)));
  }
}

interface Measured {
  readonly done: number;
  readonly wallUs: number;
  readonly clientUs: number;
  /** Undefined where there is no /proc. */
  readonly endpointUs: number | undefined;
}

async function measured(endpoint: ChildProcess, run: () => Promise<number>): Promise<Measured> {
  const [startedMs, client, before] = [performance.now(), process.cpuUsage(), cpuUsOf(endpoint)];
  const done = await run();
  const used = process.cpuUsage(client);
  const after = cpuUsOf(endpoint);
  return {
    done,
    wallUs: (performance.now() - startedMs) * 1_000,
    clientUs: used.user + used.system,
    endpointUs: before === undefined || after === undefined ? undefined : after - before,
  };
}

function say(what: string, { done, wallUs, clientUs, endpointUs }: Measured): void {
  const share = (us: number): string => `${Math.round((us / wallUs) * 100)} % of a core`;
  const rate = Math.round(done / (wallUs / 1e6));
  process.stdout.write(`${what}: ${rate.toLocaleString('en')}/s, ${IN_FLIGHT} in flight\n`);
  process.stdout.write(`  the client: ${(clientUs / done).toFixed(0)} µs CPU each, ${share(clientUs)}\n`);
  if (endpointUs === undefined) return;
  const perCore = Math.round((1e6 * done) / endpointUs).toLocaleString('en');
  const bound =
    endpointUs > 0.9 * wallUs ? 'the endpoint' : clientUs > 0.9 * wallUs ? 'the client' : 'waits or other work';
  process.stdout.write(
    `  the endpoint: ${(endpointUs / done).toFixed(0)} µs CPU each, ${share(endpointUs)}; one core serves ${perCore}/s; bound by ${bound}\n`,
  );
}

async function warmUp(request: (n: number) => Promise<void>): Promise<void> {
  let done = 0;
  for (let round = 0; round < 10 && done < WARM_UP_REQUESTS; round += 1) done += await load(request, 2);
}

/** Runs `request` over and over, so many at a time, for so long. Resolves to how many were answered. */
async function load(request: (n: number) => Promise<void>, seconds: number): Promise<number> {
  const untilMs = performance.now() + seconds * 1_000;
  let sent = 0;
  let done = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      sent += 1;
      await request(sent);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
  return done;
}

async function fill(client: CosmosClient): Promise<Container> {
  const { database } = await client.databases.create({ id: 'bench' });
  const { container } = await database.containers.create({
    id: 'items',
    partitionKey: { paths: ['/pk'], version: 2 },
    indexingPolicy: { includedPaths: [{ path: '/s/?' }], excludedPaths: [{ path: '/*' }] },
    defaultTtl: -1,
  });
  for (let n = 0; n < PARTITIONS; n += 1) await container.items.create(newItem('o', n));
  return container;
}

async function startEndpoint(dir: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [MAIN, '--port', '0', '--dir', dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const url = /http:\S+/.exec(said)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`The Cosmos endpoint did not start: ${said}`);
}

/** User and system time of the process so far; Linux counts it in hundredths of a second. */
function cpuUsOf({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

await main();
