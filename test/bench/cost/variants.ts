import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Child, startChild } from '#test/bench/lib/child.ts';
import { cpuUsOf, pin, SERVER_CORE } from '#test/bench/lib/cpu.ts';
import { h2load, type Load } from '#test/bench/lib/h2load.ts';
import type { Nginx } from '#test/bench/lib/nginx.ts';
import { type Gateway, OBJECTS, type World } from './world.ts';

export const CONNECTIONS = 16;
const SDK = resolve(import.meta.dirname, '../lib/sdk-direct.ts');

/** Something whose processor time per operation is measured. */
export interface Variant {
  readonly name: string;
  /** How many operations one round makes. */
  readonly operations: number;
  /** Makes so many operations; returns the processor time of the server in µs, NaN when it did not serve them all. */
  run(operations: number): Promise<number>;
}

interface Loaded {
  readonly name: string;
  readonly pid: number;
  readonly load: Omit<Load, 'connections' | 'requests'>;
  /** First digit of the status that every reply has. */
  readonly status: string;
  readonly operations: number;
  /** Operations that one request stands for. */
  readonly perRequest?: number;
}

/** A server under h2load. Where more than a hundredth of the replies have another status, the wrong thing was measured. */
export function loadedVariant({ name, pid, load, status, operations, perRequest = 1 }: Loaded): Variant {
  return {
    name,
    operations,
    async run(count) {
      const requests = Math.max(CONNECTIONS, Math.ceil(count / perRequest));
      const from = cpuUsOf(pid);
      const { statuses } = await h2load({ ...load, connections: CONNECTIONS, requests });
      const used = cpuUsOf(pid) - from;
      if ((statuses[status] ?? 0) < requests * 0.99) return Number.NaN;
      return (used * count) / (requests * perRequest);
    },
  };
}

const DOCUMENT = '/dbs/habitat/colls/main/docs/o';

/** The yardstick of the possible: nginx with the same replies, as a server of one and as a proxy to the upstream. */
export function nginxVariants(nginx: Nginx, quick: boolean): readonly Variant[] {
  const headers = { 'x-ms-documentdb-partitionkey': '["chat|Message|m0"]' };
  const one = (name: string, url: string, more: object = {}) =>
    loadedVariant({
      name,
      pid: nginx.pid,
      load: { urls: [url], ...more },
      status: '2',
      operations: quick ? 10_000 : 30_000,
    });
  return [
    one('nginx static', nginx.urls.static),
    one('nginx hop', nginx.urls.plain + DOCUMENT, { headers }),
    one('nginx http→TLS', nginx.urls.tls + DOCUMENT, { headers }),
  ];
}

/** Reads of all objects in turn. */
export function getVariant(
  name: string,
  gateway: Gateway,
  use: { readonly token: string; readonly quick: boolean; readonly type?: string },
): Variant {
  const urls = Array.from(
    { length: OBJECTS },
    (_, at) => `${gateway.url}/v1/chat/objects/${use.type ?? 'Message'}/m${at}`,
  );
  const headers = { authorization: `Bearer ${use.token}` };
  return loadedVariant({
    name,
    pid: gateway.pid,
    load: { urls, headers },
    status: '2',
    operations: use.quick ? 4_000 : 12_000,
  });
}

export function refusalVariants(gateway: Gateway, { tokens }: World, quick: boolean): readonly Variant[] {
  const operations = quick ? 8_000 : 20_000;
  const one = (name: string, path: string, token: string) => {
    const load = { urls: [gateway.url + path], headers: { authorization: `Bearer ${token}` } };
    return loadedVariant({ name, pid: gateway.pid, load, status: '4', operations });
  };
  return [
    one('refusal 403', '/v1/chat/objects/Secret/m0', tokens.reader),
    one('refusal 429', '/v1/tight/objects/Message/m0', tokens.tight),
  ];
}

/** A batch of a hundred reads, of objects each in a partition of its own. Checks first that all are served. */
export async function batchVariant(
  name: string,
  gateway: Gateway,
  use: { readonly world: World; readonly quick: boolean; readonly type?: string },
): Promise<Variant> {
  const { world, quick, type = 'Message' } = use;
  const operations = Array.from({ length: 100 }, (_, at) => ({ op: 'object.get', type, id: `m${at % OBJECTS}` }));
  const bodyFile = join(world.dir, `${name.replaceAll(/\W/g, '-')}.json`);
  const body = JSON.stringify({ operations });
  writeFileSync(bodyFile, body);
  const headers = { authorization: `Bearer ${world.tokens.reader}`, 'content-type': 'application/json' };
  const url = `${gateway.url}/v1/chat/batch`;
  const { results } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    results: { status: number }[];
  };
  const refused = results.find(({ status }) => status !== 200);
  if (results.length !== 100 || refused !== undefined) throw new Error(`${name}: ${JSON.stringify(refused)}`);
  const load = { urls: [url], headers, bodyFile };
  return loadedVariant({
    name,
    pid: gateway.pid,
    load,
    status: '2',
    operations: quick ? 6_400 : 16_000,
    perRequest: 100,
  });
}

/** The yardstick of the alternative: the SDK with its own transport, without a server in front or a check behind it. */
export async function sdkVariant(
  world: World,
  quick: boolean,
): Promise<{ readonly variant: Variant; readonly child: Child }> {
  const { tlsPort, key, caFile } = world.upstream;
  const partitions = Array.from({ length: OBJECTS }, (_, at) => `chat|Message|m${at}`);
  const args = [SDK, `https://localhost:${tlsPort}`, key, 'o', String(CONNECTIONS), ...partitions];
  const env = { NODE_EXTRA_CA_CERTS: caFile };
  const child = await startChild({ command: process.execPath, args, env, ready: /ready/ });
  pin(child.pid, SERVER_CORE);
  const run = (count: number): Promise<number> =>
    new Promise((resolve, reject) => {
      child.process.once('exit', () => reject(new Error('The SDK process ended.')));
      child.process.stdout?.once('data', (line) => resolve(Number(/took (\d+)/.exec(String(line))?.[1])));
      child.process.stdin?.write(`${count}\n`);
    });
  return { child, variant: { name: 'SDK directly', operations: quick ? 1_500 : 3_000, run } };
}
