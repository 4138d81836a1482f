import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OTHER_CORE } from './cpu.ts';

const run = promisify(execFile);

export interface Load {
  /** Asked for in turn. */
  readonly urls: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** File with the body of a POST; GET without one. */
  readonly bodyFile?: string;
  readonly connections: number;
  readonly requests: number;
}

export interface Loaded {
  readonly seconds: number;
  /** By the first digit of their status, `2` to `5`. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** A closed loop over HTTP/1.1 on the core that the server does not have. Rejects when a request brought no reply. */
export async function h2load({ urls, headers = {}, bodyFile, connections, requests }: Load): Promise<Loaded> {
  const args = ['--h1', '-t1', `-c${connections}`, `-n${requests}`];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (bodyFile !== undefined) args.push('-d', bodyFile);
  const { stdout } = await run('taskset', ['-c', String(OTHER_CORE), 'h2load', ...args, ...urls], {
    maxBuffer: 2 ** 22,
  });
  const failed = Number(/(\d+) failed/.exec(stdout)?.[1]);
  const [, two = '0', three = '0', four = '0', five = '0'] =
    /status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/.exec(stdout) ?? [];
  const statuses = { 2: Number(two), 3: Number(three), 4: Number(four), 5: Number(five) };
  const answered = statuses[2] + statuses[3] + statuses[4] + statuses[5];
  // Its "failed" counts refusals too.
  if (answered !== requests)
    throw new Error(`h2load: ${requests - answered} of ${requests} had no reply (${failed} failed):\n${stdout}`);
  return { seconds: secondsOf(stdout), statuses };
}

function secondsOf(stdout: string): number {
  const [, value, unit] = /finished in ([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const factor = unit === 's' ? 1 : unit === 'ms' ? 1e-3 : 1e-6;
  return Number(value) * factor;
}
