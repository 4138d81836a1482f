import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '#test/gateway/histories/world.ts';
import { type Call, callsOf, countOf, type Finding, walk } from './finding.ts';

const PUTS = 1_000;
const DUPLICATES = 300;
const TYPE = 'messages';
/** Refused ones are told so; half of them ask again, until they are acknowledged. */
const MOST_TRIES = 40;

interface Told {
  readonly target: string;
  readonly outcome: 'created' | 'overwritten' | 'refused' | 'unknown';
  /** The codes of its refusals, in their order. */
  readonly refusals: readonly string[];
}

/** 1,000 edge.put at once on one object, 30 % of them of a target that another puts too, through both gateways. */
export async function concurrentPuts(world: World): Promise<Finding> {
  const calls = await Promise.all(['gw-a', 'gw-b'].map((name) => callsOf(world, name)));
  const [first, second] = calls;
  if (first === undefined || second === undefined) throw new Error('Two gateways are needed.');
  const from = `storm-${Date.now()}`;
  const targets = Array.from({ length: PUTS }, (_, index) => `t${index % (PUTS - DUPLICATES)}`);
  const told = await Promise.all(
    targets.map((target, index) => put(index % 2 === 0 ? first : second, { from, target, index })),
  );
  const listed = await walk(calls, { from, type: TYPE, limit: 1_000 });
  const count = await countOf(first, { from, type: TYPE });
  const of = (outcome: Told['outcome']) => told.filter((one) => one.outcome === outcome);
  const figures = {
    ...{ puts: PUTS, created: of('created').length, overwritten: of('overwritten').length },
    ...{ refusedForGood: of('refused').length, unknown: of('unknown').length, edges: listed.length },
    unknownOnTheWay: told.filter(({ refusals }) => refusals.includes('outcome_unknown')).length,
    refusals: told.reduce((sum, { refusals }) => sum + refusals.length, 0),
  };
  return { figures, problems: problemsOf(told, { listed, count }) };
}

interface Put {
  readonly from: string;
  readonly target: string;
  readonly index: number;
}

async function put(call: Call, { from, target, index }: Put): Promise<Told> {
  const headers = { 'idempotency-key': `${from}-${index}`, 'habitat-deadline-ms': '10000' };
  const refusals: string[] = [];
  let mayHaveHappened = false;
  for (let tries = 1; ; tries += 1) {
    const init = { body: JSON.stringify({ time: index }), headers };
    const reply = await call('PUT', `/objects/Conversation/${from}/edges/${TYPE}/${target}`, init);
    if (reply.status === 200 || reply.status === 201) {
      return { target, refusals, outcome: reply.body.created === true ? 'created' : 'overwritten' };
    }
    // What a later try is refused with says nothing of one whose outcome stayed unknown.
    mayHaveHappened ||= reply.code === 'outcome_unknown';
    // A connection whose request came too slowly is closed with 408 by the server itself; nothing was read of it.
    if (reply.error?.retryable !== true && reply.status !== 408)
      throw new Error(`A put was answered ${reply.status} ${reply.code}.`);
    refusals.push(reply.code ?? String(reply.status));
    if (tries === MOST_TRIES || (!mayHaveHappened && index % 2 === 1)) {
      return { target, refusals, outcome: mayHaveHappened ? 'unknown' : 'refused' };
    }
    await pause(reply.error?.retryAfterMs ?? 100);
  }
}

function problemsOf(told: readonly Told[], { listed, count }: { listed: readonly string[]; count: number }): string[] {
  const problems: string[] = [];
  const present = new Set(listed);
  if (count !== listed.length || present.size !== listed.length) {
    problems.push(`the count is ${count}, the list has ${listed.length} edges of ${present.size} targets`);
  }
  for (const [target, puts] of Map.groupBy(told, (one) => one.target)) {
    const made = puts.filter(({ outcome }) => outcome === 'created').length;
    const isSure = puts.every(({ outcome }) => outcome !== 'unknown');
    const codes = puts.map(({ outcome, refusals }) => [...refusals, outcome].join(', ')).join(' | ');
    if (made > 1) problems.push(`${made} puts of ${target} say that they created it`);
    if (isSure && present.has(target) !== (made === 1)) {
      problems.push(
        `${target} was ${made === 1 ? '' : 'never '}acknowledged and is ${present.has(target) ? '' : 'not '}there: ${codes}`,
      );
    }
  }
  return problems;
}
