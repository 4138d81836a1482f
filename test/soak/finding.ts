import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import type { World } from '#test/gateway/histories/world.ts';

/** What a case of the soak found. */
export interface Finding {
  readonly figures: Readonly<Record<string, number>>;
  /** Empty when everything held. */
  readonly problems: readonly string[];
}

export type Call = ReturnType<typeof caller>;

/** Calls through a gateway; waits for it while it is being started. */
export async function callsOf(world: World, gateway: string): Promise<Call> {
  const { url } = await eventually(`${gateway} runs`, () => world.gateway(gateway), 60_000);
  return caller(url, world.token);
}

const MOST_TRIES = 60;
const PAUSE_MS = 250;

/** Asks again while it is refused for a while: on a busy machine a region seems to be away now and then. */
export async function insist(ask: () => ReturnType<Call>): ReturnType<Call> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask();
    if (reply.error?.retryable !== true || tries === MOST_TRIES) return reply;
    await pause(PAUSE_MS);
  }
}

export const CRITICAL = { 'habitat-consistency': 'critical', 'habitat-deadline-ms': '20000' };

export interface Page {
  readonly ids: readonly string[];
  readonly cursor: string | null;
}

/** One page of an object's edges by a critical read. */
export async function readPage(
  call: Call,
  of: { from: string; type: string; limit: number; cursor: string | null },
): Promise<Page> {
  const { from, type, limit, cursor } = of;
  const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
  const path = `/objects/Conversation/${from}/edges/${type}?${query}`;
  const reply = await insist(() => call('GET', path, { headers: CRITICAL }));
  if (reply.status !== 200) throw new Error(`A page was answered ${reply.status} ${reply.code}.`);
  const ids = (reply.body.edges as { toId: string }[]).map(({ toId }) => toId);
  return { ids, cursor: typeof reply.body.cursor === 'string' ? reply.body.cursor : null };
}

/** Every edge, page by page; the calls are taken in turn. */
export async function walk(
  calls: readonly Call[],
  of: { from: string; type: string; limit: number },
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    const call = calls[page % calls.length];
    if (call === undefined) throw new Error('There is nobody to ask.');
    const read: Page = await readPage(call, { ...of, cursor });
    ids.push(...read.ids);
    if (read.cursor === null) return ids;
    cursor = read.cursor;
  }
}

export async function countOf(call: Call, of: { from: string; type: string }): Promise<number> {
  const path = `/objects/Conversation/${of.from}/edges/${of.type}:count`;
  const reply = await insist(() => call('GET', path, { headers: CRITICAL }));
  if (reply.status !== 200) throw new Error(`A count was answered ${reply.status} ${reply.code}.`);
  return Number(reply.body.count);
}
