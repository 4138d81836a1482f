import type { FreeList } from './free-list.ts';

/** Throws unless the list hands out three connections in the order A B C A B C. Opens no socket and leaves no connection. */
export function assertFifo(list: FreeList): void {
  const trial = takeThree(list);
  for (const connection of trial) list.giveBack(connection, true);
  const names = trial.map((connection) => connection.name);
  const order = takeInTurn(list, 2 * names.length);
  for (const connection of takeThree(list)) list.giveBack(connection, false);
  if (order.join() !== [...names, ...names].join()) {
    throw new Error(`Connections are reused in the order ${order.join(' ')} instead of first in, first out.`);
  }
}

function takeThree(list: FreeList) {
  return [0, 1, 2].flatMap(() => list.tryTake() ?? []);
}

function takeInTurn(list: FreeList, times: number): readonly number[] {
  const order: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const connection = list.tryTake();
    if (connection === null) continue;
    order.push(connection.name);
    list.giveBack(connection, true);
  }
  return order;
}
