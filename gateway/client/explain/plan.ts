import type { Catalog, EdgeName, ObjectName } from '#gateway/client/catalog.ts';
import { COUNT_RU, listRu, objectRu } from './ru-model.ts';
import { counted, ruText, tableOf } from './table.ts';

/** One step of a loop, done for each object that the step before it came to. */
export type Hop<T extends Catalog> =
  /** List edges: the loop goes on with the objects at their ends. */
  | { readonly list: EdgeName<T>; readonly fanOut: number; readonly pageSize?: number }
  /** Count edges; the loop stays where it is. */
  | { readonly count: EdgeName<T> }
  /** Read the objects that the loop has come to; it stays there. `sizeBytes` is what one holds, 1,024 unless told. */
  | { readonly read: ObjectName<T>; readonly sizeBytes?: number };

export interface PlanOptions {
  /** Objects that the loop begins with, 1 unless told. */
  readonly from?: number;
  /** Whether calls of one step go out in batches of up to 100. */
  readonly isBatched?: boolean;
}

export interface PlanLine {
  readonly operation: string;
  readonly about: string;
  readonly calls: number;
  readonly ru: number;
}

/** What a loop is going to take, by the gateway's own reckoning. `String(plan)` is a table. */
export interface Plan {
  readonly lines: readonly PlanLine[];
  readonly calls: number;
  readonly requests: number;
  readonly ru: number;
  readonly pages: number;
  /** Requests that wait for one another when each step's calls go out side by side. */
  readonly rounds: number;
  /** Rounds at the 99th percentile of what this client has seen; null when it has not called enough to know. */
  readonly p99Ms: number | null;
  toString(): string;
}

export interface PlanPorts {
  readonly catalog: Catalog;
  p99Ms(operation: string): number | null;
}

interface Step extends PlanLine {
  /** Requests after one another. */
  readonly rounds: number;
  readonly requests: number;
  readonly pages: number;
  /** Where the loop is afterwards. */
  readonly at: string | null;
  readonly objects: number;
}

const MOST_OPERATIONS = 100;
const DEFAULT_PAGE = 100;
const DEFAULT_SIZE = 1_024;

/** Throws a TypeError when a hop does not start where the one before it ends. */
export function planOf(
  hops: readonly Hop<Catalog>[],
  { from = 1, isBatched = false }: PlanOptions,
  ports: PlanPorts,
): Plan {
  const steps: Step[] = [];
  for (const hop of hops) {
    const before = steps.at(-1);
    const start = { at: before?.at ?? null, objects: before?.objects ?? from };
    steps.push(stepOf(hop, start, { catalog: ports.catalog, isBatched }));
  }
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0);
  const waits = steps.map(({ operation, rounds }) => {
    const p99 = ports.p99Ms(isBatched ? 'batch' : operation);
    return p99 === null ? null : p99 * rounds;
  });
  const plan: Omit<Plan, 'toString'> = {
    lines: steps.map(({ operation, about, calls, ru }) => ({ operation, about, calls, ru })),
    calls: sum(({ calls }) => calls),
    requests: sum(({ requests }) => requests),
    ru: sum(({ ru }) => ru),
    pages: sum(({ pages }) => pages),
    rounds: sum(({ rounds }) => rounds),
    p99Ms: waits.reduce((total, wait) => (total === null || wait === null ? null : total + wait), 0),
  };
  return { ...plan, toString: () => textOf(plan) };
}

interface StepContext {
  readonly catalog: Catalog;
  readonly isBatched: boolean;
}

function stepOf(
  hop: Hop<Catalog>,
  { at, objects }: Pick<Step, 'at' | 'objects'>,
  { catalog, isBatched }: StepContext,
): Step {
  const requestsFor = (calls: number) => (isBatched ? Math.ceil(calls / MOST_OPERATIONS) : calls);
  if ('read' in hop) {
    startsAt(at, hop.read, `read ${hop.read}`);
    const ru = objects * objectRu(hop.sizeBytes ?? DEFAULT_SIZE);
    const step = { operation: 'object.get', about: hop.read, calls: objects, ru };
    return { ...step, rounds: 1, requests: requestsFor(objects), pages: 0, at: hop.read, objects };
  }
  const name = 'count' in hop ? hop.count : hop.list;
  const edge = catalog.edges[name];
  if (edge === undefined) throw new TypeError(`The catalog has no edge type ${name}.`);
  startsAt(at, edge.from, name);
  if ('count' in hop) {
    const step = { operation: 'edge.count', about: name, calls: objects, ru: objects * COUNT_RU };
    return { ...step, rounds: 1, requests: requestsFor(objects), pages: 0, at: edge.from, objects };
  }
  const pageSize = Math.min(hop.pageSize ?? DEFAULT_PAGE, hop.fanOut, edge.listCap ?? Number.POSITIVE_INFINITY);
  const pages = Math.ceil(hop.fanOut / pageSize);
  const calls = objects * pages;
  const ru = calls * listRu(pageSize);
  const ends = { at: edge.to, objects: objects * hop.fanOut };
  // Pages of one list follow one another; lists of several objects go side by side.
  const requests = pages * requestsFor(objects);
  return { operation: 'edge.list', about: name, calls, ru, rounds: pages, requests, pages: calls, ...ends };
}

function startsAt(at: string | null, type: string, what: string): void {
  if (at !== null && at !== type) throw new TypeError(`${what} starts at ${type}; the loop is at ${at}.`);
}

function textOf(plan: Omit<Plan, 'toString'>): string {
  const rows = plan.lines.map(({ operation, about, calls, ru }) => [
    `${operation} ${about}`,
    String(calls),
    ruText(ru),
  ]);
  const table = tableOf([['', 'calls', 'RU'], ...rows, ['total', String(plan.calls), ruText(plan.ru)]]);
  const wait = plan.p99Ms === null ? 'p99 unknown: too few calls yet' : `p99 ${Math.round(plan.p99Ms)} ms`;
  const facts = [counted(plan.requests, 'request'), counted(plan.rounds, 'round'), counted(plan.pages, 'page'), wait];
  return `${table}\n${facts.join(' · ')} · a forecast`;
}
