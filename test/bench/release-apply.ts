import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { type GatewayHome, makeGatewayHome } from '#test/gateway/fixtures/gateway.ts';
import { startFaultedAccount } from './faulted-account.ts';
import { createOpenLoop, type Done, percentileMs } from './open-loop.ts';
import type { FromConsole, ToConsole } from './release-console.ts';

/**
 * What applying a release costs the requests meanwhile: `npm run bench:releases -- [rounds] [requests per second]`. One
 * gateway with eight workers serves reads that do not wait for replies, while releases of 30,000 types in ten megabytes
 * come in: none, one that differs in every type, one that differs in one; alternated. Console, Cosmos endpoint and gateway
 * are processes of their own on this machine.
 */
const ROUNDS = Number(process.argv[2] ?? 7);
const PER_SECOND = Number(process.argv[3] ?? 200);
const WORKERS = 8;
const SECONDS = 10;
const CONNECTIONS = 32;
/** Types that are read, so that as many decisions are in use. */
const TYPES = 100;
const VARIANTS = ['none', 'all', 'one'] as const;
type Variant = (typeof VARIANTS)[number];

interface Round {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly failed: number;
  readonly cpuMs: number;
  readonly appliedMs: number | null;
}

const dir = await mkdtemp(join(tmpdir(), 'habitat-bench-'));
const account = await startFaultedAccount(dir);
const console_ = fork(join(import.meta.dirname, 'release-console.ts'), {
  execArgv: ['--conditions=react-server'],
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
let home: GatewayHome | null = null;
try {
  const open = await heard(console_, 'open');
  home = makeGatewayHome(open, account);
  const started = home.start({ GATEWAY_WORKERS: String(WORKERS) });
  const bytes = (await ask({ kind: 'prepare', differs: 'all' }, 'prepared')).bytes;
  const gateway = await started;
  await ask({ kind: 'publish' }, 'live');
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const read = readerOf(gateway.url, { token: open.token, agent });
  const rounds: Record<Variant, Round[]> = { none: [], all: [], one: [] };
  await createOpenLoop({ perSecond: PER_SECOND, writesPercent: 0 }, read).run(5_000);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const variant of VARIANTS)
      rounds[variant].push(await runRound(variant, { read, pid: gateway.process.pid ?? 0 }));
    process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  print(rounds, bytes);
  await agent.close();
} finally {
  console_.disconnect();
  await home?.remove();
  await account.stop();
  await rm(dir, { recursive: true, force: true });
}

type Read = (kind: Done['kind'], index: number) => Promise<string>;

function readerOf(url: string, { token, agent }: { readonly token: string; readonly agent: Agent }): Read {
  const headers = { authorization: `Bearer ${token}` };
  return async (_, index) => {
    // Types whose owner is the team of the tenant; there is no such object, which is an answer like another.
    const path = `/v1/chat/objects/Type${(index % TYPES) * 3}/none`;
    try {
      const { statusCode, body } = await request(`${url}${path}`, { dispatcher: agent, headers });
      await body.dump();
      return statusCode === 404 ? 'served' : String(statusCode);
    } catch (error) {
      return error instanceof Error ? error.message : 'failed';
    }
  };
}

async function runRound(
  variant: Variant,
  { read, pid }: { readonly read: Read; readonly pid: number },
): Promise<Round> {
  if (variant !== 'none') await ask({ kind: 'prepare', differs: variant }, 'prepared');
  const cpuFrom = cpuMsOf(pid);
  const running = createOpenLoop({ perSecond: PER_SECOND, writesPercent: 0 }, read).run(SECONDS * 1_000);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const applied = variant === 'none' ? null : await ask({ kind: 'publish' }, 'live');
  const done = await running;
  return {
    p50: percentileMs(done, 0.5) ?? Number.NaN,
    p99: percentileMs(done, 0.99) ?? Number.NaN,
    p999: percentileMs(done, 0.999) ?? Number.NaN,
    failed: done.filter(({ told }) => told !== 'served').length,
    cpuMs: cpuMsOf(pid) - cpuFrom,
    appliedMs: applied?.durationMs ?? null,
  };
}

/** Time of the processor that a process used so far, all threads; `proc(5)`, fields 14 and 15 in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function print(rounds: Record<Variant, Round[]>, bytes: number): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(
    `${WORKERS} workers, ${PER_SECOND} reads/s open loop, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each`,
  );
  say(`release of ${(bytes / 1e6).toFixed(1)} MB, Node ${process.versions.node}, ${cpus().length} cores`);
  say(
    'release    p50 ms                    p99 ms                    p99.9 ms                  gateway CPU ms            live after ms                  failed',
  );
  for (const variant of VARIANTS) {
    const all = rounds[variant];
    const of = (pick: (round: Round) => number) => spread(all.map(pick)).padEnd(26);
    const applied = variant === 'none' ? ''.padEnd(31) : spread(all.map(({ appliedMs }) => appliedMs ?? 0)).padEnd(31);
    const failed = all.reduce((sum, one) => sum + one.failed, 0);
    say(
      `${variant.padEnd(11)}${of((one) => one.p50)}${of((one) => one.p99)}${of((one) => one.p999)}${of((one) => one.cpuMs)}${applied}${failed}`,
    );
  }
  for (const variant of ['all', 'one'] as const) {
    const ratios = rounds[variant].map((one, at) => one.p999 / (rounds.none[at]?.p999 ?? Number.NaN));
    say(`p99.9 ${variant} ÷ none, by round: ${spread(ratios)}`);
  }
}

/** Median with the second lowest and second highest. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => (sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? Number.NaN).toFixed(1);
  return `${at(Math.floor(sorted.length / 2))} [${at(1)}–${at(sorted.length - 2)}]`;
}

async function ask<K extends FromConsole['kind']>(message: ToConsole, kind: K) {
  const answer = heard(console_, kind);
  console_.send(message);
  return answer;
}

async function heard<K extends FromConsole['kind']>(child: ChildProcess, kind: K) {
  for (;;) {
    const [message]: [FromConsole] = (await once(child, 'message')) as [FromConsole];
    if (message.kind === kind) return message as Extract<FromConsole, { kind: K }>;
  }
}
