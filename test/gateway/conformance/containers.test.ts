import type { Container, ContainerDefinition } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe('a container', () => {
  it('is read back as it was created', async () => {
    const container = await target.container('described', { defaultTtl: 60, uniqueKeys: [['/email']] });
    const { resource } = await container.read();
    expect(resource?.defaultTtl).toBe(60);
    expect(resource?.partitionKey).toMatchObject({ paths: ['/pk'], kind: 'Hash', version: 2 });
    expect(resource?.indexingPolicy?.includedPaths).toMatchObject([{ path: '/s/?' }]);
    expect(resource?.uniqueKeyPolicy?.uniqueKeys).toEqual([{ paths: ['/email'] }]);
  });

  it('is listed, cannot be made twice, and one made anew under its name is empty', async () => {
    const definition = { id: 'short-lived', partitionKey: { paths: ['/pk'], version: 2 } };
    const { container } = await target.database.containers.create(definition);
    await container.items.create({ id: 'x', pk: 'a' });
    expect((await refusal(target.database.containers.create(definition))).code).toBe(409);
    const ids = async () => (await target.database.containers.readAll().fetchAll()).resources.map(({ id }) => id);
    expect(await ids()).toContain('short-lived');
    await container.delete();
    expect(await ids()).not.toContain('short-lived');
    await target.database.containers.create(definition);
    expect((await target.database.container('short-lived').item('x', 'a').read()).statusCode).toBe(404);
  });

  it('that is not there is 404', async () => {
    expect((await refusal(target.database.container('absent').read())).code).toBe(404);
    expect((await refusal(target.database.container('absent').items.create({ id: 'x', pk: 'a' }))).code).toBe(404);
  });

  it('names its partition key ranges over the whole space', async () => {
    const container = await target.container('ranges');
    const { resources } = await container.readPartitionKeyRanges().fetchAll();
    const sorted = resources.toSorted((left, right) => (left.minInclusive < right.minInclusive ? -1 : 1));
    expect(sorted[0]?.minInclusive).toBe('');
    expect(sorted.at(-1)?.maxExclusive).toBe('FF');
  });

  it('answers the question for its throughput', async () => {
    const container = await target.container('ranges');
    expect((await container.readOffer()).statusCode).toBe(200);
  });
});

describe('a replaced container', () => {
  async function replace(container: Container, change: Partial<ContainerDefinition>): Promise<void> {
    const { resource } = await container.read();
    if (resource === undefined) throw new Error('the container has no definition');
    await container.replace({ ...resource, ...change } as ContainerDefinition);
  }

  it('serves paths that were not indexed before, over the items that it had', async () => {
    const container = await target.container('reindexed');
    for (const n of [3, 1, 2]) await container.items.create({ id: `i${n}`, pk: 'p', n, s: `s${n}` });
    const includedPaths = [{ path: '/s/?' }, { path: '/n/?' }];
    await replace(container, { indexingPolicy: { includedPaths, excludedPaths: [{ path: '/*' }] } });
    await container.items.create({ id: 'i0', pk: 'p', n: 0, s: 's0' });
    // The service changes its index in the background.
    await expect
      .poll(
        async () => {
          const query = 'SELECT VALUE c.id FROM c WHERE c.n < 3 ORDER BY c.n';
          return (await container.items.query(query, { partitionKey: 'p' }).fetchAll()).resources;
        },
        { timeout: target.isLocal ? 1_000 : 120_000, interval: 500 },
      )
      .toEqual(['i0', 'i1', 'i2']);
  }, 150_000);

  it('takes on another time to live, for the items that it had too', async () => {
    const container = await target.container('replaced-ttl', { defaultTtl: -1 });
    await container.items.create({ id: 'default', pk: 'p' });
    await container.items.create({ id: 'own', pk: 'p', ttl: 3_000 });
    await replace(container, { defaultTtl: 2 });
    await target.passSeconds(4);
    expect((await container.item('default', 'p').read()).statusCode).toBe(404);
    expect((await container.item('own', 'p').read()).statusCode).toBe(200);
  });

  it('keeps its partition key', async () => {
    const container = await target.container('ranges');
    const moved = { id: 'ranges', partitionKey: { paths: ['/other'], version: 2 } };
    expect((await refusal(container.replace(moved))).code).toBe(400);
  });
});
