import { ChangeFeedStartFrom, type Container, type ItemDefinition } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
beforeAll(async () => {
  test = await startTestEmulator();
});
afterAll(() => test.close());

/** Signatures are good for 15 minutes, so the clock of a test moves within them. */
function passSeconds(seconds: number): void {
  test.clock.offsetMs += seconds * 1_000;
}

describe('time to live', () => {
  it('an expired item is gone from reads, queries, counts, guards and patches', async () => {
    const container = await test.container('ttl');
    await container.items.create({ id: 'short', pk: 'p', s: '1', ttl: 10 });
    await container.items.create({ id: 'long', pk: 'p', s: '2', ttl: 1_000 });
    await container.items.create({ id: 'ever', pk: 'p', s: '3' });
    passSeconds(9);
    expect((await container.item('short', 'p').read()).statusCode).toBe(200);
    passSeconds(2);
    expect((await container.item('short', 'p').read()).statusCode).toBe(404);
    expect((await refusal(container.item('short', 'p').patch([{ op: 'set', path: '/s', value: 'x' }]))).code).toBe(404);
    const query = 'SELECT VALUE c.id FROM c WHERE c.s > "0" AND c.s < "9" ORDER BY c.s';
    expect((await container.items.query(query, { partitionKey: 'p' }).fetchAll()).resources).toEqual(['long', 'ever']);
    const count = await container.items.query('SELECT VALUE COUNT(1) FROM c', { partitionKey: 'p' }).fetchAll();
    expect(count.resources).toEqual([2]);
  });

  it('an expired item makes room for a new one of the same id', async () => {
    const container = await test.container('ttl');
    const before = await container.items.create({ id: 'again', pk: 'p', v: 1, ttl: 5 });
    passSeconds(6);
    const after = await container.items.create({ id: 'again', pk: 'p', v: 2 });
    expect(after.statusCode).toBe(201);
    expect(after.resource?._rid).not.toBe(before.resource?._rid);
  });

  it('every write starts the time anew, and removing ttl ends it', async () => {
    const container = await test.container('ttl');
    await container.items.create({ id: 'kept', pk: 'p', ttl: 5 });
    passSeconds(4);
    await container.item('kept', 'p').patch([{ op: 'set', path: '/v', value: 1 }]);
    passSeconds(4);
    await container.item('kept', 'p').patch([{ op: 'remove', path: '/ttl' }]);
    passSeconds(30);
    expect((await container.item('kept', 'p').read()).statusCode).toBe(200);
  });

  it('the container gives the default, an item can opt out with -1', async () => {
    const container = await test.container('default-ttl', { defaultTtl: 20 });
    await container.items.create({ id: 'default', pk: 'p' });
    await container.items.create({ id: 'never', pk: 'p', ttl: -1 });
    passSeconds(21);
    expect((await container.item('default', 'p').read()).statusCode).toBe(404);
    expect((await container.item('never', 'p').read()).statusCode).toBe(200);
  });

  it.each([0, -2, 1.5, 'soon'])('refuses ttl %j', async (ttl) => {
    const container = await test.container('ttl');
    expect((await refusal(container.items.create({ id: 'bad', pk: 'p', ttl: ttl as number }))).code).toBe(400);
  });
});

describe('change feed', () => {
  const read = (container: Container, changeFeedStartFrom: ChangeFeedStartFrom, maxItemCount = 100) =>
    container.items.getChangeFeedIterator<ItemDefinition>({ changeFeedStartFrom, maxItemCount });

  it('gives every item at its newest state in the order of writes, then 304', async () => {
    const container = await test.container('feed');
    for (const id of ['a', 'b', 'c']) await container.items.create({ id, pk: id, v: 1 });
    await container.item('a', 'a').patch([{ op: 'incr', path: '/v', value: 1 }]);
    const iterator = read(container, ChangeFeedStartFrom.Beginning());
    const first = await iterator.readNext();
    expect(first.result.map(({ id, v }) => [id, v])).toEqual([
      ['b', 1],
      ['c', 1],
      ['a', 2],
    ]);
    expect((await iterator.readNext()).statusCode).toBe(304);
    await container.items.create({ id: 'd', pk: 'd' });
    expect((await iterator.readNext()).result.map(({ id }) => id)).toEqual(['d']);
  });

  it('resumes from its token, page by page, and never parts what one batch wrote', async () => {
    const container = await test.container('feed-pages');
    for (let at = 0; at < 5; at += 1) {
      const create = (id: string) => ({ operationType: 'Create' as const, resourceBody: { id, pk: 'p' } });
      await container.items.batch([create(`${at}x`), create(`${at}y`), create(`${at}z`)], 'p');
    }
    const pages: string[][] = [];
    let token: string | undefined;
    for (;;) {
      const from = token === undefined ? ChangeFeedStartFrom.Beginning('p') : ChangeFeedStartFrom.Continuation(token);
      const page = await read(container, from, 4).readNext();
      if (page.statusCode === 304) break;
      pages.push(page.result.map(({ id }) => id));
      token = page.continuationToken;
    }
    expect(pages.flat()).toEqual(Array.from({ length: 5 }, (_, at) => [`${at}x`, `${at}y`, `${at}z`]).flat());
    expect(pages.every((page) => page.length % 3 === 0)).toBe(true);
  });

  it('starts from now when asked, and only in the partition that is asked for', async () => {
    const container = await test.container('feed-now');
    await container.items.create({ id: 'old', pk: 'p' });
    const iterator = read(container, ChangeFeedStartFrom.Now('p'));
    expect((await iterator.readNext()).statusCode).toBe(304);
    await container.items.create({ id: 'other', pk: 'q' });
    await container.items.create({ id: 'new', pk: 'p' });
    expect((await iterator.readNext()).result.map(({ id }) => id)).toEqual(['new']);
  });
});
