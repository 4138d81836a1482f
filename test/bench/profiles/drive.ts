import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, request } from 'undici';
import type { Shot } from './shots.ts';

/** One request of an open loop, timed from when it was due. */
export interface Outcome {
  readonly operation: string;
  readonly tookMs: number;
  /** `served`, or the code that it was refused with, or why no answer came. */
  readonly told: string;
  /** Where the answer came from: `cache`, or a region. */
  readonly from: string;
  readonly ru: number;
}

export interface Drive {
  readonly outcomes: readonly Outcome[];
  readonly offeredPerSecond: number;
  readonly achievedPerSecond: number;
  /** Of the load generator, in cores. */
  readonly generatorCores: number;
}

export interface DriveOptions {
  readonly url: string;
  readonly token: string;
  readonly agent: Agent;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Requests at a steady rate, whatever becomes of them. */
export async function drive(next: () => Shot, options: DriveOptions): Promise<Drive> {
  const { perSecond, seconds } = options;
  const outcomes: Outcome[] = [];
  const inFlight: Promise<void>[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    for (let leftMs = dueAt - performance.now(); leftMs > 0; leftMs = dueAt - performance.now()) await pause(leftMs);
    inFlight.push(send(next(), dueAt, options).then((outcome) => void outcomes.push(outcome)));
  }
  await Promise.all(inFlight);
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return {
    outcomes,
    offeredPerSecond: perSecond,
    achievedPerSecond: (outcomes.length * 1_000) / tookMs,
    generatorCores: (user + system) / 1_000 / tookMs,
  };
}

/** Never rejects: no answer is an outcome too. */
export async function send(
  { operation, method, path, body }: Shot,
  dueAt: number,
  { url, token, agent }: Pick<DriveOptions, 'url' | 'token' | 'agent'>,
): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  try {
    const reply = await request(`${url}${path}`, { method, headers, body: body ?? null, dispatcher: agent });
    const text = await reply.body.text();
    const told = reply.statusCode < 400 ? 'served' : codeOf(text, reply.statusCode);
    const of = (name: string) => String(reply.headers[name] ?? '');
    const [from, ru] = [of('habitat-served-from'), Number(of('habitat-ru'))];
    return { operation, tookMs: performance.now() - dueAt, told, from, ru };
  } catch (error) {
    const told = error instanceof Error ? error.name : 'no answer';
    return { operation, tookMs: performance.now() - dueAt, told, from: '', ru: 0 };
  }
}

/** What is not there is an answer like another: mixes ask for what was deleted. */
const ANSWERS = new Set(['object_not_found', 'edge_not_found']);

function codeOf(text: string, status: number): string {
  const code: unknown = JSON.parse(text)?.error?.code;
  return ANSWERS.has(String(code)) ? 'served' : String(code ?? status);
}

export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
