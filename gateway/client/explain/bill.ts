import type { RequestNote } from '#gateway/client/calls/note.ts';
import { counted, ruText, tableOf } from './table.ts';

/** What one kind of operation on one type took. */
export interface BillLine {
  /** `edge.list` */
  readonly operation: string;
  readonly about: string;
  readonly calls: number;
  /** `in batches` when they went with others: a batch tells one price for all that is in it. */
  readonly ru: number | 'in batches' | 'unknown';
}

/** What a loop over several hops took. `String(bill)` is a table. */
export interface Bill {
  readonly lines: readonly BillLine[];
  /** Operations, each counted by policy, quota and audit. */
  readonly calls: number;
  /** Requests over the network: a batch is one. Attempts after the first are counted in `retries`. */
  readonly requests: number;
  readonly retries: number;
  /** Null when no reply told. */
  readonly ru: number | null;
  /** Pages of lists. */
  readonly pages: number;
  /** Longest chain of requests that waited for one another: what the network's delay is paid for. */
  readonly rounds: number;
  /** Requests by where they were served from, as the gateway says: a region, or its cache. */
  readonly servedFrom: Readonly<Record<string, number>>;
  /** Cosmos accounts that were crossed: replies do not tell. */
  readonly accounts: 'unknown';
  readonly wallMs: number;
  toString(): string;
}

export function billOf(notes: readonly RequestNote[], wallMs: number): Bill {
  const lines = linesOf(notes);
  const told = notes.flatMap(({ ru }) => ru ?? []);
  const parts = notes.flatMap((note) => note.parts);
  const bill: Omit<Bill, 'toString'> = {
    lines,
    calls: parts.length,
    requests: notes.length,
    retries: notes.reduce((sum, { attempts }) => sum + attempts - 1, 0),
    ru: told.length === 0 ? null : told.reduce((sum, ru) => sum + ru, 0),
    pages: parts.filter(({ operation }) => operation === 'edge.list').length,
    rounds: roundsOf(notes),
    servedFrom: tally(notes.flatMap(({ servedFrom }) => servedFrom ?? [])),
    accounts: 'unknown',
    wallMs,
  };
  return { ...bill, toString: () => textOf(bill) };
}

function linesOf(notes: readonly RequestNote[]): readonly BillLine[] {
  const lines = new Map<string, BillLine>();
  for (const { operation: carrier, parts, ru } of notes) {
    const own = carrier === 'batch' && parts.length > 1 ? 'in batches' : (ru ?? 'unknown');
    for (const { operation, about } of parts) {
      const name = `${operation} ${about}`;
      const { calls, ru: before } = lines.get(name) ?? { calls: 0, ru: 0 };
      lines.set(name, { operation, about, calls: calls + 1, ru: added(before, own) });
    }
  }
  return [...lines.values()];
}

function added(before: BillLine['ru'], own: BillLine['ru']): BillLine['ru'] {
  if (typeof before !== 'number') return before;
  return typeof own === 'number' ? before + own : own;
}

/** Most requests that did not overlap, found by always taking the one that ends first. */
function roundsOf(notes: readonly RequestNote[]): number {
  let rounds = 0;
  let freeAtMs = -Infinity;
  for (const { startedAtMs, endedAtMs } of notes.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
    if (startedAtMs < freeAtMs) continue;
    rounds += 1;
    freeAtMs = endedAtMs;
  }
  return rounds;
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function textOf(bill: Omit<Bill, 'toString'>): string {
  const { calls, requests, retries, ru, pages, rounds, servedFrom, wallMs } = bill;
  const rows = bill.lines.map((line) => [
    `${line.operation} ${line.about}`,
    String(line.calls),
    typeof line.ru === 'number' ? ruText(line.ru) : line.ru,
  ]);
  const table = tableOf([['', 'calls', 'RU'], ...rows, ['total', String(calls), ru === null ? 'unknown' : ruText(ru)]]);
  const from = Object.entries(servedFrom).map(([name, count]) => `${name} ${count}`);
  const facts = [
    `${counted(requests, 'request')} (${counted(retries, 'attempt')} repeated)`,
    ...[counted(rounds, 'round'), counted(pages, 'page'), `${Math.round(wallMs)} ms`],
    `served from ${from.length === 0 ? 'unknown' : from.join(', ')}`,
    `accounts ${bill.accounts}`,
  ];
  return `${table}\n${facts.join(' · ')}`;
}
