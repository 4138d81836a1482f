import { OTHER_CORE, pin, residentMb, SERVER_CORE } from '#test/bench/lib/cpu.ts';
import type { Section, Table } from '#test/bench/lib/report.ts';
import { ratios, showSpread, spreadOf } from '#test/bench/lib/spread.ts';
import { edgeType, type Items, objectType, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import { type Figures, type Pace, runRounds } from './rounds.ts';
import { CONNECTIONS, getVariant, loadedVariant, type Variant } from './variants.ts';
import { type Gateway, seedObjects, startWorld, type World } from './world.ts';

const LARGE = { types: 10_000, tenants: 1_000 };
/** Below a hundred edges a list needs no second look at the head of the partition. */
const EDGES = { few: 10, some: 1_000 } as const;
const MANY = { full: 1_000_000, quick: 20_000 };
const PAGE = 20;

/** What the size of an installation, and of an object, does to the cost of an operation; and the memory of a large one. */
export async function growth(pace: Pace): Promise<Section> {
  const worlds: World[] = [];
  const open = async (change: (items: Items) => Items): Promise<{ world: World; gateway: Gateway }> => {
    const world = await startWorld(change);
    worlds.push(world);
    const gateway = await world.gateway();
    await seedObjects(gateway, world.tokens.reader);
    return { world, gateway };
  };
  try {
    const small = await open((items) => grow(items, { types: 10, tenants: 0 }));
    const types = await open((items) => grow(items, { types: LARGE.types, tenants: 0 }));
    const both = await open((items) => grow(items, LARGE));
    const many = pace.quick ? MANY.quick : MANY.full;
    const at = { 'few edges': EDGES.few, 'some edges': EDGES.some, 'many edges': many };
    // Nothing is measured yet, so that whoever stores edges may have the core of servers.
    pin(process.pid, SERVER_CORE);
    for (const [name, count] of Object.entries(at)) await seedEdges(small, { from: idOf(name), count });
    pin(process.pid, OTHER_CORE);
    pace.say(`${many} edges are stored`);
    const get = (name: string, { world, gateway }: typeof small) =>
      getVariant(name, gateway, { token: world.tokens.reader, quick: pace.quick });
    const variants = [
      get('10 types', small),
      get('10,000 types', types),
      get('10,000 types, 1,000 tenants', both),
      ...Object.keys(at).flatMap((name) => edgeVariants(name, small, pace.quick)),
    ];
    const figures = await runRounds(variants, pace);
    return sectionOf(figures, { many, memory: await memoryOf(both), rounds: pace.rounds });
  } finally {
    for (const world of worlds) await world.stop();
  }
}

function grow(items: Items, { types, tenants }: { readonly types: number; readonly tenants: number }): Items {
  const list = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  return {
    ...items,
    objectType: [...items.objectType, ...list(types, (at) => objectType(`Type${at}`))],
    edgeType: [
      ...items.edgeType,
      ...list(types, (at) => edgeType(`edge${at}`, `Type${at}`, `Type${(at * 7) % types}`)),
    ],
    tenant: [...items.tenant, ...list(tenants, (at) => tenant(`tenant-${at}`, { ownerTeam: 'chat' }))],
    principal: [...items.principal, ...list(tenants, (at) => principal(`service-${at}`, { tenant: `tenant-${at}` }))],
  };
}

const idOf = (name: string): string => name.replace(' ', '-');

async function seedEdges(
  { world }: { readonly world: World },
  edges: { readonly from: string; readonly count: number },
) {
  const targets = Array.from({ length: edges.count }, (_, at) => `t${at}`);
  const timeOf = (at: number) => at;
  const cosmos = { url: world.cosmosUrl, key: world.upstream.key };
  await loadEdges(cosmos, { from: edges.from, edgeType: 'messages', targets, timeOf });
}

function edgeVariants(
  name: string,
  { world, gateway }: { readonly world: World; readonly gateway: Gateway },
  quick: boolean,
): readonly Variant[] {
  const at = `${gateway.url}/v1/chat/objects/Conversation/${idOf(name)}/edges/messages`;
  const headers = { authorization: `Bearer ${world.tokens.reader}` };
  const one = (operation: string, url: string) =>
    loadedVariant({
      ...{ name: `${operation}, ${name}`, pid: gateway.pid, load: { urls: [url], headers }, status: '2' },
      operations: quick ? 1_000 : 3_000,
    });
  return [one('edge.count', `${at}:count`), one('edge.list', `${at}?limit=${PAGE}`)];
}

/** Resident memory of a whole gateway with one worker and with two; the difference is a worker. */
async function memoryOf({ world, gateway }: { readonly world: World; readonly gateway: Gateway }) {
  const two = await world.gateway({ GATEWAY_WORKERS: '2' });
  for (let turn = 0; turn < 4; turn += 1) {
    const variant = getVariant('memory', two, { token: world.tokens.reader, quick: true });
    await variant.run(variant.operations);
  }
  return { one: residentMb(gateway.pid), two: residentMb(two.pid) };
}

interface Grown {
  readonly many: number;
  readonly memory: { readonly one: number; readonly two: number };
  readonly rounds: number;
}

function sectionOf(figures: Figures, { many, memory, rounds }: Grown): Section {
  const pairs: readonly (readonly [string, string])[] = [
    ['10,000 types', '10 types'],
    ['10,000 types, 1,000 tenants', '10,000 types'],
    ['edge.count, many edges', 'edge.count, few edges'],
    ['edge.list, some edges', 'edge.list, few edges'],
    ['edge.list, many edges', 'edge.list, some edges'],
  ];
  const rows = pairs.map(([large, small]) => {
    const ratio = spreadOf(ratios(figures.get(large) ?? [], figures.get(small) ?? []));
    const us = (name: string) => showSpread(spreadOf(figures.get(name) ?? []));
    return [large, us(large), small, us(small), showSpread(ratio, 2)];
  });
  const growthTable: Table = { columns: ['large', 'µs', 'small', 'µs', 'large ÷ small (goal ≤ 1.10)'], rows };
  const memoryTable: Table = {
    columns: ['resident at 10,000 types, 1,000 tenants', 'MB'],
    rows: [
      ['the process with one worker', memory.one.toFixed(0)],
      ['a second worker (goal < 200)', (memory.two - memory.one).toFixed(0)],
    ],
  };
  const { few, some } = EDGES;
  return {
    title: 'Growth and memory',
    conditions: [
      `object.get as above under releases of 10 and of ${LARGE.types} object types with as many edge types, and with ${LARGE.tenants} tenants; edge.count and edge.list (first ${PAGE}) of objects with ${few}, ${some} and ${many} edges. c=${CONNECTIONS}, ${rounds} rounds, alternated; µs of processor time.`,
    ],
    tables: [growthTable, memoryTable],
    remarks: [
      'A list of more than 97 edges reads the head of its partition once more, so that no delete is seen halfway; from there on its cost does not grow.',
    ],
    data: { figures: Object.fromEntries(figures), memory },
  };
}
