import { randomUUID } from 'node:crypto';
import type { Fault, FaultEffect, FaultOperation, NewFault } from '#gateway/contract/local-cosmos.ts';

/** A request as faults look at it. */
export interface FaultSubject {
  readonly account: string;
  readonly region: string;
  readonly operation: FaultOperation;
  /** Text of the whole partition key (a JSON array); undefined for a request without one. */
  readonly partition: () => string | undefined;
}

/** The faults that are switched on, for all accounts of the endpoint. */
export interface FaultBook {
  /** Asked on every request, so that faults cost nothing while there are none. */
  isEmpty(): boolean;
  list(): readonly Fault[];
  add(fault: NewFault): Fault;
  /** False when there is no such fault. */
  remove(id: string): boolean;
  /**
   * Offers the faults that match, in the order in which they were switched on and each by its share. Those that
   * `take` accepts count as met, and switch themselves off when they have met enough.
   */
  meet(subject: FaultSubject, take: (effect: FaultEffect, id: string) => boolean): void;
}

export interface FaultBookOptions {
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly onAdded: (fault: Fault) => void;
  /** `remaining` are the faults that stay on. */
  readonly onRemoved: (fault: Fault, remaining: readonly Fault[]) => void;
}

interface Active {
  readonly fault: Fault;
  /** The partition of the fault as the text that requests carry. */
  readonly partition: string | undefined;
  met: number;
}

export function createFaultBook(options: FaultBookOptions): FaultBook {
  let active: readonly Active[] = [];

  const list = (): readonly Fault[] => active.map(({ fault, met }) => ({ ...fault, met }));

  function remove(id: string): boolean {
    const found = active.find(({ fault }) => fault.id === id);
    if (found === undefined) return false;
    active = active.filter((entry) => entry !== found);
    options.onRemoved(found.fault, list());
    return true;
  }

  return {
    isEmpty: () => active.length === 0,
    list,
    add(request) {
      const fault: Fault = { ...request, id: randomUUID(), sinceMs: options.nowMs(), met: 0 };
      const partition = fault.partition === undefined ? undefined : JSON.stringify([fault.partition]);
      // What it needs is ready before a request can meet it.
      options.onAdded(fault);
      active = [...active, { fault, partition, met: 0 }];
      return fault;
    },
    remove,
    meet(subject, take) {
      for (const entry of active) {
        const { fault } = entry;
        if (!matches(entry, subject)) continue;
        if (fault.percent < 100 && options.random() * 100 >= fault.percent) continue;
        if (!take(fault.effect, fault.id)) continue;
        entry.met += 1;
        if (entry.met === fault.times) remove(fault.id);
      }
    },
  };
}

function matches({ fault, partition }: Active, subject: FaultSubject): boolean {
  if (!covers(fault, subject.account, subject.region)) return false;
  if (fault.operations !== undefined && !fault.operations.includes(subject.operation)) return false;
  return partition === undefined || partition === subject.partition();
}

type Meant = Pick<NewFault, 'account' | 'region'>;

/** Whether a fault is meant for a region. */
export const covers = (fault: Meant, account: string, region: string): boolean =>
  coversAccount(fault, account) && (fault.region === undefined || fault.region === region);

export const coversAccount = (fault: Meant, account: string): boolean =>
  fault.account === undefined || fault.account === account;
