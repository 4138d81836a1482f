import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsAtRest } from './at-rest.ts';
import { type Entry, isWrite, type ObjectHistory } from './history.ts';
import { judge } from './judge.ts';
import { type Command, GATEWAYS, INVERSE_OF, makePlan, type Plan, type PlanSize, SHAPES, TARGETS } from './plan.ts';
import { playTroubles } from './play.ts';
import { printHistory } from './print.ts';
import { createRecorder } from './recorder.ts';
import { type Run, runClient } from './run-client.ts';
import { firstUnexplained, shrink } from './shrink.ts';
import type { World } from './world.ts';

export interface SeedReport {
  readonly seed: number;
  readonly operations: number;
  readonly done: number;
  readonly refused: number;
  readonly unknown: number;
  readonly faults: number;
  readonly kills: number;
  /** How many states the judge looked at. */
  readonly states: number;
  readonly ms: number;
  /** Empty when everything agrees. */
  readonly problems: readonly string[];
}

/** Plays one seed's plan on the world, judges the history of each object, and looks at what is stored in the end. */
export async function runSeed(world: World, seed: number, size: PlanSize): Promise<SeedReport> {
  const startedAtMs = performance.now();
  const plan = makePlan(seed, size);
  const prefix = `${seed}-${randomBytes(4).toString('hex')}-`;
  const run: Run = {
    ...{ world, objects: plan.objects, recorder: createRecorder() },
    idOf: (name) => prefix + name,
    nameOf: (id) => id.slice(prefix.length),
  };
  const { recorder } = run;
  const playing = playTroubles(world, recorder, plan.troubles);
  const found = (await Promise.all(plan.clients.map((commands, client) => runClient(run, client, commands)))).flat();
  recorder.over();
  await playing;
  await world.clearFaults();
  await world.settle();
  found.push(
    ...(await problemsAtRest(world, {
      objects: plan.objects.map(({ name }) => run.idOf(name)),
      targets: TARGETS.map(run.idOf),
    })),
  );
  found.push(...(await runClient(run, plan.clients.length, lastLooks(plan))));
  const histories = historiesOf(run, recorder.entries);
  const judged = histories.map(judgedAs);
  const problems = [...found, ...judged.flatMap((one) => one.problems)];
  if (problems.length > 0) problems.push(`judge it again with: npm run soak -- judge ${keep(histories)}`);
  const states = judged.reduce((sum, one) => sum + one.states, 0);
  return { ...figuresOf(plan, recorder.entries), states, problems, ms: Math.round(performance.now() - startedAtMs) };
}

/** When all is quiet every object is looked at once more through both gateways: that too has to agree. */
function lastLooks({ objects }: Plan): Command[] {
  const how = {
    isConditional: false,
    consistency: 'critical',
    isKeyed: false,
    deadlineMs: 10_000,
    insists: true,
    isBatched: false,
    repeats: false,
  } as const;
  return objects.flatMap(({ name, home }) =>
    (home === null ? GATEWAYS : [home]).flatMap((gateway) => [
      { ...how, object: name, gateway, action: { op: 'object.get' } as const },
      ...Object.keys(SHAPES).flatMap((type) => [
        { ...how, object: name, gateway, action: { op: 'edge.list', type } as const },
        { ...how, object: name, gateway, action: { op: 'edge.count', type } as const },
      ]),
    ]),
  );
}

function historiesOf({ objects, idOf }: Run, all: readonly Entry[]): ObjectHistory[] {
  return objects.map(({ name, home }) => {
    const own = all.filter(({ object, action }) => object === name && action.op !== 'target.delete');
    const entries = [...own, ...all.flatMap((entry) => edgesUnmade(entry, name))];
    return { object: name, home, prefix: idOf(''), edgeTypes: SHAPES, entries };
  });
}

/** What the delete of a target may do to one object: take each mirrored edge to it, some time after its call. */
function edgesUnmade(entry: Entry, object: string): Entry[] {
  const { action, outcome, tries } = entry;
  if (action.op !== 'target.delete' || outcome.kind === 'refused') return [];
  const { to } = action;
  const unmade = { object, key: null, outcome: { kind: 'unknown', why: `${to} was deleted` } } as const;
  return Object.keys(INVERSE_OF).flatMap((type) =>
    Array.from({ length: tries }, (): Entry => ({ ...entry, ...unmade, action: { op: 'edge.delete', type, to } })),
  );
}

/** What is wrong with a history, and the smallest part of it that shows it; no problems when it is explained. */
export function judgedAs(history: ObjectHistory): { readonly problems: readonly string[]; readonly states: number } {
  const { object } = history;
  const judgement = judge(history);
  const { states } = judgement;
  if (judgement.kind === 'explained') return { problems: [], states };
  if (judgement.kind === 'undecided') {
    const first = firstUnexplained(history);
    const where = first === null ? '' : `; all that ended before #${first.id} is explained`;
    return { problems: [`${object}: the search for an explanation was given up${where}`], states };
  }
  const problems = judgement.problems.map((problem) => `${object}: ${problem}`);
  return { problems: [...problems, printHistory(shrink(history))], states };
}

function figuresOf(plan: Plan, entries: readonly Entry[]) {
  const kindsOf = (kind: Entry['outcome']['kind']) => entries.filter(({ outcome }) => outcome.kind === kind);
  const kills = plan.troubles.filter(({ happening }) => happening.kind === 'kill').length;
  return {
    ...{ seed: plan.seed, operations: entries.length, kills, faults: plan.troubles.length - kills },
    done: kindsOf('done').length,
    refused: kindsOf('refused').length,
    unknown: kindsOf('unknown').filter(({ action }) => isWrite(action)).length,
  };
}

/** Timing is not replayed by a seed, so histories that were wrong are kept. */
function keep(histories: readonly ObjectHistory[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'habitat-history-')), 'histories.json');
  writeFileSync(file, JSON.stringify(histories, null, 1));
  return file;
}
