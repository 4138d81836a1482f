import type { StoredSum } from '#gateway/contract/background.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { type CountedEdge, type CountedItem, countedItem } from './counted-item.ts';
import { findDrift, type HeadDrift } from './head-drift.ts';
import type { KeySpan } from './ranges.ts';
import { readItems } from './read-changes.ts';

export interface Census {
  readonly kind: 'census';
  readonly sums: readonly StoredSum[];
  /** Partitions whose head does not agree with what is stored. */
  readonly drift: readonly HeadDrift[];
  /** Partitions that could not be compared, mostly because they were written meanwhile; nothing is known of them. */
  readonly unsure: readonly string[];
}

export interface Span {
  readonly span: KeySpan;
  readonly meter: StoreMeter;
  readonly mostItems?: number;
  /** Told of every live edge that was counted. */
  readonly onEdge?: (edge: CountedEdge) => void;
}

/** Items of a span that are kept in mind while it is read; a span with more is read in halves. */
const MOST_ITEMS = 100_000;

/**
 * What is stored in a span by tenant and type, by one reading of the feed from its beginning to its end: an item that is
 * written meanwhile comes again, and its newest state counts. So each part is exact as of when its end was reached, and
 * what its heads count can be compared with what was counted.
 */
export async function takeCensus(parts: StoreParts, on: Span): Promise<Census | Denial> {
  const { meter, mostItems = MOST_ITEMS, onEdge = () => undefined } = on;
  const totals = new Map<string, StoredSum>();
  const drift: HeadDrift[] = [];
  const unsure: string[] = [];
  const spans = [on.span];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const counted = await countSpan(parts, { span, meter, mostItems });
    if (isDenial(counted)) return counted;
    if (counted.kind === 'full') {
      spans.push(...halvesOf(span));
      continue;
    }
    const found = await findDrift(parts, counted.items, meter);
    drift.push(...found.drift);
    unsure.push(...found.unsure);
    addLargest(totals, counted.items);
    addLongest(totals, counted.items);
    for (const item of counted.items) {
      if (item.type !== null) add(totals, { ...tenantAnd(item.pk, item.type), count: 1, bytes: item.bytes });
      if (item.edge !== null) onEdge({ pk: item.pk, ...item.edge });
    }
  }
  return { kind: 'census', sums: [...totals.values()], drift, unsure };
}

async function countSpan(parts: StoreParts, { span, meter, mostItems }: Required<Omit<Span, 'onEdge'>>) {
  const items = new Map<string, CountedItem>();
  const reader = readItems(parts, { span, position: null, meter });
  for (;;) {
    const page = await reader.read();
    if (isDenial(page)) return page;
    for (const item of page.items) items.set(`${item.pk}\n${item.id}`, countedItem(item));
    if (page.isEnd) return { kind: 'counted', items: [...items.values()] } as const;
    if (items.size > mostItems && widthOf(span) > 1) return { kind: 'full' } as const;
  }
}

function tenantAnd(pk: string, type: string) {
  return { tenant: pk.slice(0, pk.indexOf('|')), type };
}

function add(totals: Map<string, StoredSum>, { tenant, type, count, bytes }: StoredSum): void {
  const key = `${tenant}|${type}`;
  const before = totals.get(key) ?? { tenant, type, count: 0, bytes: 0 };
  totals.set(key, { ...before, count: before.count + count, bytes: before.bytes + bytes });
}

/** A partition lies in one span, so what its items take together is all of it. */
function addLargest(totals: Map<string, StoredSum>, items: readonly CountedItem[]): void {
  const sizes = new Map<string, number>();
  for (const { pk, bytes } of items) sizes.set(pk, (sizes.get(pk) ?? 0) + bytes);
  for (const [pk, bytes] of sizes) {
    const { tenant, type } = tenantAnd(pk, pk.split('|')[1] ?? '');
    const key = `${tenant}|${type}`;
    const before = totals.get(key) ?? { tenant, type, count: 0, bytes: 0 };
    totals.set(key, { ...before, largestBytes: Math.max(before.largestBytes ?? 0, bytes) });
  }
}

/** The same of the edges that one object has of a type. */
function addLongest(totals: Map<string, StoredSum>, items: readonly CountedItem[]): void {
  const lists = new Map<string, { readonly pk: string; readonly type: string; edges: number }>();
  for (const { pk, edge } of items) {
    if (edge === null) continue;
    const name = `${edge.edgeType}\n${pk}`;
    const list = lists.get(name) ?? { pk, type: edge.edgeType, edges: 0 };
    list.edges += 1;
    lists.set(name, list);
  }
  for (const { pk, type, edges } of lists.values()) {
    const place = tenantAnd(pk, type);
    const key = `${place.tenant}|${type}`;
    const before = totals.get(key) ?? { ...place, count: 0, bytes: 0 };
    totals.set(key, { ...before, longestList: Math.max(before.longestList ?? 0, edges) });
  }
}

/** Bounds are the first four hexadecimal digits of a key, which lie from 0000 to 3FFF. */
function halvesOf(span: KeySpan): readonly KeySpan[] {
  const middle = Math.floor((lowOf(span) + highOf(span)) / 2);
  const bound = middle.toString(16).toUpperCase().padStart(4, '0');
  return [
    { min: span.min, max: bound },
    { min: bound, max: span.max },
  ];
}

const lowOf = ({ min }: KeySpan): number => (min === '' ? 0 : Number.parseInt(min, 16));
const highOf = ({ max }: KeySpan): number => (max === 'FF' ? 0x4000 : Number.parseInt(max, 16));
const widthOf = (span: KeySpan): number => highOf(span) - lowOf(span);
