import type { Step } from './step.ts';

/** Which steps of a search were taken, and which may be taken next. */
export interface Board {
  /** In the order in which they were taken. */
  taken(): readonly number[];
  take(index: number): void;
  /** Takes back all but the first so many. */
  backTo(length: number): void;
  /** Every step that certainly happened was taken. */
  isComplete(): boolean;
  /** Reads, and writes, whose earlier steps were all taken, by their index. */
  openReads(): readonly number[];
  openWrites(): readonly number[];
  /** Equal for equal sets of sure writes that were taken. */
  key(): string;
  /** Of each read 1 while it was not taken, of each kind of optional steps how many were: less can do all that more can. */
  debts(): Uint8Array;
}

/** No step comes after an optional one, so what is open follows from the sure steps that were taken. */
export function createBoard<S>(steps: readonly Step<S>[]): Board {
  const waits = Int32Array.from(steps, ({ after }) => after.length);
  const followers: number[][] = steps.map(() => []);
  for (const [index, { after }] of steps.entries()) for (const earlier of after) followers[earlier]?.push(index);
  const open = new Set([...waits.keys()].filter((index) => waits[index] === 0));
  const order: number[] = [];
  const kinds = kindsOf(steps);
  const debts = new Uint8Array(Math.max(0, ...kinds) + 1);
  for (const [index, { isRead }] of steps.entries()) if (isRead) debts[kinds[index] ?? 0] = 1;
  const writes = new Uint8Array(steps.length);
  let left = steps.filter(({ optional }) => optional === null).length;

  const shift = (index: number, by: 1 | -1) => {
    if (by === 1) open.add(index);
    else open.delete(index);
    const [step, kind] = [steps[index], kinds[index] ?? 0];
    if (step?.optional === null) left += by;
    if (step?.isRead === true) debts[kind] = by === 1 ? 1 : 0;
    else if (step?.optional === null) writes[index] = by === 1 ? 0 : 1;
    else debts[kind] = (debts[kind] ?? 0) - by;
    for (const follower of followers[index] ?? []) {
      const waiting = (waits[follower] ?? 0) + by;
      waits[follower] = waiting;
      if (waiting === 0) open.add(follower);
      else open.delete(follower);
    }
  };
  const openOnes = (isRead: boolean) =>
    [...open].filter((index) => steps[index]?.isRead === isRead).sort((a, b) => a - b);
  return {
    taken: () => order,
    isComplete: () => left === 0,
    openReads: () => openOnes(true),
    openWrites: () => openOnes(false),
    take(index) {
      shift(index, -1);
      order.push(index);
    },
    backTo(length) {
      for (const index of order.splice(length).reverse()) shift(index, 1);
    },
    key: () => Buffer.from(writes).toString('latin1'),
    debts: () => debts.slice(),
  };
}

/** Each step a number of its own, and twins one. */
function kindsOf<S>(steps: readonly Step<S>[]): number[] {
  const numbers = new Map<string, number>();
  return steps.map(({ optional }, index) => {
    const name = optional === null ? `step ${index}` : `twin ${optional}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}
