import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContent } from '#gateway/content/create-content.ts';
import { ObjectId, ObjectTypeName, TenantName } from '#gateway/contract/ids.ts';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { ObjectKey, StoreCall } from '#gateway/pipeline/store-port.ts';
import { createStore, type Store } from '#gateway/store/create-store.ts';

/**
 * CPU time that one read of an object costs the store client, SDK included, without HTTP in front and without decryption:
 * `node test/bench/store-client.ts [reads]`. Two regions, so that routing and hedging are part of it. The local endpoint
 * runs in a process of its own: what is measured is this process alone.
 */
const READS = Number(process.argv[2] ?? 20_000);
const IN_FLIGHT = 16;
const OBJECTS = 64;
const MAIN = resolve(import.meta.dirname, '../../gateway/emulator/main.ts');

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'habitat-bench-'));
  const endpoint = await startEndpoint(join(dir, 'cosmos'));
  const content = createContent({ keysDir: join(dir, 'keys'), now: Date.now });
  const store = createStore({
    endpoint: endpoint.url,
    credential: { kind: 'key', key: EMULATOR_KEY },
    content,
    clock: { now: Date.now },
  });
  try {
    const keys = Array.from({ length: OBJECTS }, (_, index) => keyOf(`object-${index}`));
    for (const key of keys) await put(store, key);
    for (const consistency of ['session', 'critical'] as const) {
      const load = { store, keys, consistency };
      await readMany(load, READS / 4);
      for (let round = 0; round < 3; round += 1) {
        const { cpuUs, wallMs } = await measured(() => readMany(load, READS));
        const figures = `${(cpuUs / READS).toFixed(1)} µs CPU each, ${Math.round((READS / wallMs) * 1_000)}/s`;
        process.stdout.write(`${READS} ${consistency} reads, ${IN_FLIGHT} in flight: ${figures}\n`);
      }
    }
    const hedges = store.regions().reduce((sum, region) => sum + region.hedges, 0);
    process.stdout.write(`hedged reads: ${hedges}\n`);
  } finally {
    await store.close();
    endpoint.child.kill('SIGTERM');
    await once(endpoint.child, 'exit');
    await rm(dir, { recursive: true, force: true });
  }
}

async function startEndpoint(dir: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [MAIN, '--regions', 'East=0,West=0', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const url = /http:\S+/.exec(said)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`The Cosmos endpoint did not start: ${said}`);
}

async function measured(work: () => Promise<void>): Promise<{ readonly cpuUs: number; readonly wallMs: number }> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  return { cpuUs: used.user + used.system, wallMs: performance.now() - startedAt };
}

interface Load {
  readonly store: Store;
  readonly keys: readonly ObjectKey[];
  readonly consistency: StoreCall['consistency'];
}

async function readMany({ store, keys, consistency }: Load, reads: number): Promise<void> {
  let left = reads;
  const reader = async () => {
    while (left > 0) {
      left -= 1;
      const key = keys[left % keys.length];
      if (key === undefined) continue;
      const reply = await store.getObject(key, { ...newCall(), consistency });
      if (isDenial(reply)) throw new Error(`refused: ${reply.code}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, reader));
}

async function put(store: Store, key: ObjectKey): Promise<void> {
  const content = Buffer.from(JSON.stringify({ text: 'x'.repeat(700) }));
  const precondition = { ifMatch: null, ifAbsent: false };
  const reply = await store.putObject(
    key,
    { content, contentType: 'application/json', precondition },
    { ...newCall(), idempotency: null },
  );
  if (isDenial(reply)) throw new Error(`refused: ${reply.code}: ${reply.message}`);
}

function keyOf(id: string): ObjectKey {
  return { tenant: TenantName.parse('bench'), type: ObjectTypeName.parse('Note'), id: ObjectId.parse(id) };
}

function newCall(): StoreCall {
  return {
    requestId: 'bench',
    deadlineAtMs: Date.now() + 5_000,
    consistency: 'session',
    session: [],
    meter: { add: () => undefined },
  };
}

await main();
