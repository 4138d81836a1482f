import { z } from 'zod';
import type { StoredSum } from '#gateway/contract/background.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter } from '#gateway/pipeline/store-port.ts';
import { storedBytes } from '#gateway/store/layout/items.ts';
import { OBJECT_ID } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import type { KeySpan } from './ranges.ts';
import { type FeedItem, readItems } from './read-changes.ts';

export interface Census {
  readonly kind: 'census';
  readonly sums: readonly StoredSum[];
}

/** Items of a span that are kept in mind while it is read; a span with more is read in halves. */
const MOST_ITEMS = 100_000;

const Counted = z.object({ type: z.string(), dead: z.boolean().optional() });

/**
 * What is stored in a span by tenant and type, by one reading of the feed from its beginning to its end: an item that is
 * written meanwhile comes again, and its newest state counts. So each part is exact as of when its end was reached.
 */
export async function takeCensus(
  parts: StoreParts,
  on: { readonly span: KeySpan; readonly meter: StoreMeter; readonly mostItems?: number },
): Promise<Census | Denial> {
  const { meter, mostItems = MOST_ITEMS } = on;
  const totals = new Map<string, StoredSum>();
  const spans = [on.span];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const counted = await countSpan(parts, { span, meter, mostItems });
    if (isDenial(counted)) return counted;
    if (counted.kind === 'full') spans.push(...halvesOf(span));
    else for (const sum of counted.items.values()) add(totals, sum);
  }
  return { kind: 'census', sums: [...totals.values()] };
}

interface Span {
  readonly span: KeySpan;
  readonly meter: StoreMeter;
  readonly mostItems: number;
}

async function countSpan(parts: StoreParts, { span, meter, mostItems }: Span) {
  const items = new Map<string, StoredSum>();
  const reader = readItems(parts, { span, position: null, meter });
  for (;;) {
    const page = await reader.read();
    if (isDenial(page)) return page;
    for (const item of page.items) {
      const sum = sumOf(item);
      const key = `${item.pk}\n${item.id}`;
      if (sum === null) items.delete(key);
      else items.set(key, sum);
    }
    if (page.isEnd) return { kind: 'counted', items } as const;
    if (items.size > mostItems && widthOf(span) > 1) return { kind: 'full' } as const;
  }
}

/** What one item adds: a live object to its type, a live edge to its edge type; null for everything else. */
function sumOf(item: FeedItem): StoredSum | null {
  const isObject = item.id === OBJECT_ID;
  if (!isObject && !item.id.startsWith('e~')) return null;
  const counted = Counted.safeParse(item);
  const tenant = item.pk.slice(0, item.pk.indexOf('|'));
  if (!counted.success || counted.data.dead === true) return null;
  return { tenant, type: counted.data.type, count: 1, bytes: storedBytes(item) };
}

function add(totals: Map<string, StoredSum>, { tenant, type, count, bytes }: StoredSum): void {
  const key = `${tenant}|${type}`;
  const before = totals.get(key) ?? { tenant, type, count: 0, bytes: 0 };
  totals.set(key, { tenant, type, count: before.count + count, bytes: before.bytes + bytes });
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
