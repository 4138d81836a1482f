import { ChangeFeedStartFrom, type Container, type ItemDefinition } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

function feed(container: Container, changeFeedStartFrom: ChangeFeedStartFrom, maxItemCount = 100) {
  return container.items.getChangeFeedIterator<ItemDefinition>({ changeFeedStartFrom, maxItemCount });
}

/** All pages until nothing is new, and the token to go on from. */
async function drain(container: Container, from: ChangeFeedStartFrom, maxItemCount?: number) {
  const iterator = feed(container, from, maxItemCount);
  const pages: string[][] = [];
  for (;;) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) return { pages, ids: pages.flat(), token: page.continuationToken };
    pages.push(page.result.map(({ id }) => String(id)));
  }
}

it('gives every item at its newest state in the order of writes, then 304, then what is new', async () => {
  const container = await target.container('feed');
  for (const id of ['a', 'b', 'c']) await container.items.create({ id, pk: 'p', v: 1 });
  await container.item('a', 'p').patch([{ op: 'incr', path: '/v', value: 1 }]);
  const iterator = feed(container, ChangeFeedStartFrom.Beginning('p'));
  const first = await iterator.readNext();
  expect(first.result.map(({ id, v }) => [id, v])).toEqual([
    ['b', 1],
    ['c', 1],
    ['a', 2],
  ]);
  expect((await iterator.readNext()).statusCode).toBe(304);
  await container.items.create({ id: 'd', pk: 'p' });
  expect((await iterator.readNext()).result.map(({ id }) => id)).toEqual(['d']);
});

it('resumes from its token, page by page, without a gap or a repetition', async () => {
  const container = await target.container('feed-pages');
  for (let at = 0; at < 12; at += 1) await container.items.create({ id: `i${at}`, pk: 'p' });
  const first = await feed(container, ChangeFeedStartFrom.Beginning('p'), 5).readNext();
  expect(first.result).toHaveLength(5);
  const rest = await drain(container, ChangeFeedStartFrom.Continuation(first.continuationToken), 5);
  const seen = [...first.result.map(({ id }) => id), ...rest.ids];
  expect(seen).toEqual(Array.from({ length: 12 }, (_, at) => `i${at}`));
  await container.items.create({ id: 'late', pk: 'p' });
  expect((await drain(container, ChangeFeedStartFrom.Continuation(rest.token))).ids).toEqual(['late']);
});

it('never parts what one batch wrote', async () => {
  const container = await target.container('feed-batches');
  for (let at = 0; at < 5; at += 1) {
    const create = (id: string) => ({ operationType: 'Create' as const, resourceBody: { id, pk: 'p' } });
    await container.items.batch([create(`${at}x`), create(`${at}y`), create(`${at}z`)], 'p');
  }
  const { pages, ids } = await drain(container, ChangeFeedStartFrom.Beginning('p'), 4);
  expect(ids).toEqual(Array.from({ length: 5 }, (_, at) => [`${at}x`, `${at}y`, `${at}z`]).flat());
  expect(pages.every((page) => page.length % 3 === 0)).toBe(true);
});

it('leaves deleted items out', async () => {
  const container = await target.container('feed-deletes');
  for (const id of ['a', 'b', 'c']) await container.items.create({ id, pk: 'p' });
  const { token } = await drain(container, ChangeFeedStartFrom.Beginning('p'));
  await container.item('b', 'p').delete();
  expect((await drain(container, ChangeFeedStartFrom.Continuation(token))).ids).toEqual([]);
  expect((await drain(container, ChangeFeedStartFrom.Beginning('p'))).ids).toEqual(['a', 'c']);
});

it('starts from now when asked, and only in the partition that is asked for', async () => {
  const container = await target.container('feed-now');
  await container.items.create({ id: 'old', pk: 'p' });
  const iterator = feed(container, ChangeFeedStartFrom.Now('p'));
  expect((await iterator.readNext()).statusCode).toBe(304);
  await container.items.create({ id: 'other', pk: 'q' });
  await container.items.create({ id: 'new', pk: 'p' });
  expect((await iterator.readNext()).result.map(({ id }) => id)).toEqual(['new']);
});

it('starts from a point in time', async () => {
  const container = await target.container('feed-time');
  const old = await container.items.create({ id: 'old', pk: 'p' });
  await target.passSeconds(4);
  await container.items.create({ id: 'new', pk: 'p' });
  const between = new Date((Number(old.resource?._ts) + 2) * 1_000);
  expect((await drain(container, ChangeFeedStartFrom.Time(between))).ids).toEqual(['new']);
});

it('two halves of every range hold each item once, and each goes on from its own token', async () => {
  const container = await target.container('feed-halves');
  const written = Array.from({ length: 40 }, (_, at) => `i${at}`);
  for (const id of written) await container.items.create({ id, pk: `p-${id}` });
  const halves = (await container.getFeedRanges()).flatMap(splitRange);
  const parts = [];
  for (const half of halves) parts.push(await drain(container, ChangeFeedStartFrom.Beginning(half), 7));
  expect(parts.flatMap(({ ids }) => ids).toSorted()).toEqual(written.toSorted());
  expect(parts.filter(({ ids }) => ids.length > 0).length).toBeGreaterThan(1);
  await container.item('i7', 'p-i7').patch([{ op: 'set', path: '/v', value: 1 }]);
  const later = [];
  for (const { token } of parts) later.push(...(await drain(container, ChangeFeedStartFrom.Continuation(token))).ids);
  expect(later).toEqual(['i7']);
});

type Range = Awaited<ReturnType<Container['getFeedRanges']>>[number];

/** Ranges of keys of version 2 lie below 40, so the middle of a whole range is 20. */
function splitRange(range: Range): Range[] {
  const whole = range as unknown as { minInclusive: string; maxExclusive: string; constructor: RangeClass };
  const middle = middleOf(whole.minInclusive, whole.maxExclusive);
  return [
    new whole.constructor(whole.minInclusive, middle) as Range,
    new whole.constructor(middle, whole.maxExclusive) as Range,
  ];
}

type RangeClass = new (minInclusive: string, maxExclusive: string) => unknown;

function middleOf(min: string, max: string): string {
  const first = (bound: string, none: number): number =>
    bound === '' || bound === 'FF' ? none : Number.parseInt(bound.slice(0, 4), 16);
  const middle = Math.floor((first(min, 0) + first(max, 0x4000)) / 2);
  return middle.toString(16).toUpperCase().padStart(4, '0');
}
