import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Items } from '#test/gateway/fixtures/definitions.ts';
import { edgeType, exampleItems, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const P = '/objects/Profile';
let stack: Stack;
let call: ReturnType<typeof caller>;

/** Types that are cached for an hour, as long as `cache` is what it is by default. */
function cachedItems(over: object = { cache: { ttlMs: 3_600_000 } }): Items {
  const items = exampleItems(key);
  items.objectType.push(objectType('Profile', over));
  items.edgeType.push(
    edgeType('knows', 'Profile', 'Profile', { ...over, inverse: 'knownBy' }),
    edgeType('knownBy', 'Profile', 'Profile', { ...over, derivedFrom: 'knows' }),
    edgeType('lives', 'Profile', 'Profile', { ...over, cardinality: 'one', maxEdges: 1 }),
  );
  return items;
}

beforeAll(async () => {
  stack = await startStack(cachedItems());
  call = caller(stack.gateway.url, key.token);
});
afterEach(async () => {
  stack.cosmos.faults.clear();
  const isWell = async () => (await call('PUT', '/objects/Message/well', { body: 'x' })).code === null;
  await eventually('the store takes writes', isWell);
});
afterAll(() => stack?.stop());

type Reply = Awaited<ReturnType<typeof call>>;
const servedFrom = ({ headers }: Reply) => headers.get('habitat-served-from');

/** Asks until a worker has it: which of the two a connection comes to is the system's choice. */
async function fromCache(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  for (let n = 0; n < 200; n += 1) {
    const reply = await call('GET', path, { headers });
    if (servedFrom(reply) === 'cache') return reply;
  }
  throw new Error(`${path} never came from the cache.`);
}

const targetsOf = ({ body }: Reply): string[] => body.edges.map(({ toId }: { toId: string }) => toId);

describe('objects', () => {
  test('a read again comes from the cache for no RU, byte for byte, with version, type and session', async () => {
    const body = '{ "a" : 1,\n"a": 2, "ü": "\\u0000" }';
    await call('PUT', `${P}/o1`, { body, headers: { 'content-type': 'application/x-thing' } });
    const first = await call('GET', `${P}/o1`);
    const again = await fromCache(`${P}/o1`);
    expect(again.text).toBe(body);
    for (const name of ['etag', 'content-type']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(again.headers.get('habitat-ru')).toBe('0');
    expect(again.headers.get('habitat-session')).not.toBeNull();
    expect(again.headers.get('server-timing')).toMatch(/auth;dur=.*policy;dur=.*admit;dur=.*store;dur=.*decode;dur=/);
    expect(Number(again.headers.get('ratelimit-remaining'))).toBeLessThan(10_000);
  });

  test('a hit answers 304 to whoever has the version', async () => {
    const put = await call('PUT', `${P}/o2`, { body: 'x' });
    const same = await fromCache(`${P}/o2`, { 'if-none-match': put.headers.get('etag') ?? '' });
    expect([same.status, same.text]).toEqual([304, '']);
  });

  test('that there is no object is kept until there is one', async () => {
    const absent = async () => (await call('GET', `${P}/o3`)).code;
    for (let n = 0; n < 4; n += 1) expect(await absent()).toBe('object_not_found');
    await call('PUT', `${P}/o3`, { body: 'here' });
    expect((await call('GET', `${P}/o3`)).text).toBe('here');
    await fromCache(`${P}/o3`);
    await call('DELETE', `${P}/o3`);
    expect(await absent()).toBe('object_not_found');
  });

  test('a critical read, a conditional write and another type never see the cache', async () => {
    const put = await call('PUT', `${P}/o4`, { body: '1' });
    await fromCache(`${P}/o4`);
    const critical = await call('GET', `${P}/o4`, { headers: { 'habitat-consistency': 'critical' } });
    expect(servedFrom(critical)).toBe('Local');
    const headers = { 'if-match': put.headers.get('etag') ?? '' };
    expect((await call('PUT', `${P}/o4`, { body: '2', headers })).status).toBe(200);
    expect((await call('PUT', `${P}/o4`, { body: '3', headers })).code).toBe('version_conflict');
    await call('PUT', '/objects/Message/o4', { body: 'm' });
    for (let n = 0; n < 3; n += 1) expect(servedFrom(await call('GET', '/objects/Message/o4'))).toBe('Local');
  });
});

describe('edges', () => {
  test('lists, counts and single edges come from the cache and follow writes from both ends', async () => {
    const knows = `${P}/a/edges/knows`;
    for (const [time, id] of ['b', 'c', 'd'].entries()) {
      await call('PUT', `${knows}/${id}`, { body: JSON.stringify({ time, data: `to ${id}` }) });
    }
    const list = await fromCache(knows);
    expect(list.body.edges.map(({ toId, data }: { toId: string; data: string }) => [toId, data])).toEqual([
      ['d', 'to d'],
      ['c', 'to c'],
      ['b', 'to b'],
    ]);
    expect((await fromCache(`${knows}:count`)).body).toEqual({ count: 3 });
    expect((await fromCache(`${knows}/c`)).body).toMatchObject({ toId: 'c', time: 1, data: 'to c' });
    expect(targetsOf(await fromCache(`${P}/b/edges/knownBy`))).toEqual(['a']);

    // Written as an inverse: it lies in another partition, and both directions follow.
    expect((await call('DELETE', `${P}/c/edges/knownBy/a`)).body).toMatchObject({ deleted: true });
    expect(targetsOf(await call('GET', knows))).toEqual(['d', 'b']);
    expect((await call('GET', `${knows}:count`)).body).toEqual({ count: 2 });
    expect((await call('GET', `${knows}/c`)).code).toBe('edge_not_found');
  });

  test('a longer beginning of a list answers for a shorter one, with its cursor', async () => {
    const knows = `${P}/long/edges/knows`;
    for (let time = 0; time < 5; time += 1) await call('PUT', `${knows}/t${time}`, { body: JSON.stringify({ time }) });
    await fromCache(`${knows}?limit=4`);
    const short = await fromCache(`${knows}?limit=2`);
    expect(targetsOf(short)).toEqual(['t4', 't3']);
    const rest = await call('GET', `${knows}?limit=2&cursor=${short.body.cursor}`);
    expect([targetsOf(rest), servedFrom(rest)]).toEqual([['t2', 't1'], 'Local']);
    const whole = await fromCache(`${knows}?limit=50`);
    expect([targetsOf(whole).length, whole.body.cursor]).toEqual([5, undefined]);
    expect(targetsOf(await fromCache(`${knows}?limit=5`))).toHaveLength(5);
  });

  test('several edges by id, time bounds, and an edge of which there is one', async () => {
    const knows = `${P}/some/edges/knows`;
    for (const time of [1, 2, 3]) await call('PUT', `${knows}/t${time}`, { body: JSON.stringify({ time }) });
    const several = `${knows}?id=t3&id=none&id=t1`;
    expect(targetsOf(await fromCache(several))).toEqual(['t3', 't1']);
    expect(targetsOf(await fromCache(`${several}&after=2`))).toEqual(['t3']);
    const lives = `${P}/some/edges/lives`;
    await call('PUT', `${lives}/here`, { body: '{}' });
    await fromCache(`${lives}/here`);
    await call('PUT', `${lives}/there`, { body: '{}' });
    expect((await call('GET', `${lives}/here`)).code).toBe('edge_not_found');
    expect((await fromCache(`${lives}/there`)).body).toMatchObject({ toId: 'there' });
  });

  test('an object that is deleted with its edges leaves none in the cache', async () => {
    const knows = `${P}/doomed/edges/knows`;
    await call('PUT', `${P}/doomed`, { body: 'x' });
    await call('PUT', `${knows}/t`, { body: '{}' });
    await fromCache(knows);
    await fromCache(`${P}/t/edges/knownBy`);
    await call('DELETE', `${P}/doomed`);
    expect(targetsOf(await call('GET', knows))).toEqual([]);
    await eventually(
      'the sweep takes the inverse',
      async () => targetsOf(await call('GET', `${P}/t/edges/knownBy`)).length === 0,
    );
  });
});

describe('without the store', () => {
  const refuse = () => stack.cosmos.faults.add({ effect: { kind: 'refuse' } });

  test('what is kept is served on while the store refuses connections; what is not, is not', async () => {
    await call('PUT', `${P}/hot`, { body: 'hot' });
    await call('PUT', `${P}/hot/edges/knows/x`, { body: '{}' });
    for (const path of [`${P}/hot`, `${P}/hot/edges/knows`, `${P}/hot/edges/knows:count`]) {
      await fromCache(path);
    }
    refuse();
    expect((await fromCache(`${P}/hot`)).text).toBe('hot');
    expect(targetsOf(await fromCache(`${P}/hot/edges/knows`))).toEqual(['x']);
    expect((await call('GET', `${P}/cold`)).code).toBe('store_unavailable');
    // A write that certainly did not happen changes nothing.
    expect((await call('PUT', `${P}/hot`, { body: 'new' })).code).toBe('store_unavailable');
    expect((await fromCache(`${P}/hot`)).text).toBe('hot');
  });
});

describe('many at once', () => {
  test('200 reads of one cold object are one read of the store in each worker', async () => {
    await call('PUT', `${P}/cold200`, { body: 'cold' });
    stack.cosmos.faults.add({ effect: { kind: 'slow', delayMs: 300 } });
    const replies = await Promise.all(Array.from({ length: 200 }, () => call('GET', `${P}/cold200`)));
    expect(replies.every(({ text }) => text === 'cold')).toBe(true);
    const ru = replies.map(({ headers }) => Number(headers.get('habitat-ru')));
    expect(ru.filter((one) => one > 0).length).toBeLessThanOrEqual(2);
  });

  test('reads that are cut off early do not fail the ones that wait for them', async () => {
    await call('PUT', `${P}/slow`, { body: 'slow' });
    stack.cosmos.faults.add({ effect: { kind: 'slow', delayMs: 400 } });
    const hasty = { 'habitat-deadline-ms': '100' };
    const [first, ...others] = await Promise.all([
      call('GET', `${P}/slow`, { headers: hasty }),
      ...Array.from({ length: 20 }, () => call('GET', `${P}/slow`)),
    ]);
    expect(first?.code).toBe('deadline_exceeded');
    expect(others.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, () => 'slow'));
  });

  test('a batch takes from the cache what is there', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `batch${n}`);
    const operations = ids.map((id) => ({ op: 'object.get', type: 'Profile', id }));
    const puts = ids.map((id) => ({ op: 'object.put', type: 'Profile', id, text: id, contentType: 'text/plain' }));
    expect((await call('POST', '/batch', { body: JSON.stringify({ operations: puts }) })).status).toBe(200);
    const body = JSON.stringify({ operations });
    const reply = await eventually('a batch comes from the cache', async () => {
      const one = await call('POST', '/batch', { body });
      return servedFrom(one) === 'cache' ? one : null;
    });
    expect(reply.headers.get('habitat-ru')).toBe('0');
    expect(reply.body.results.map(({ text }: { text: string }) => text)).toEqual(ids);
  });
});

test('hits and misses are told by type, in metrics and in what is shipped', async () => {
  await call('PUT', `${P}/counted`, { body: 'x' });
  await fromCache(`${P}/counted`);
  const metrics = await eventually('the metrics tell of it', async () => {
    const text = await (await fetch(`${stack.gateway.url}/metrics`)).text();
    return /habitat_cache_reads_total\{type="Profile",operation="object.get",found="hit"\} [1-9]/.test(text)
      ? text
      : null;
  });
  expect(metrics).toMatch(/habitat_cache_reads_total\{type="Profile",operation="object.get",found="miss"\} [1-9]/);
  expect(metrics).not.toMatch(/habitat_cache_reads_total\{type="Message"/);
  await eventually('the console hears of it', () =>
    stack.console.shipments.some(({ types }) =>
      types.some(({ type, cacheHits }) => type === 'Profile' && cacheHits > 0),
    ),
  );
});

test('a release that turns the cache off, or shortens it, takes effect at once', async () => {
  await call('PUT', `${P}/off`, { body: 'x' });
  await fromCache(`${P}/off`);
  const number = await stack.console.publish(cachedItems({}));
  await eventually('the release is live', () =>
    stack.console.acks.some(({ result, release }) => release.number === number && result.state === 'live'),
  );
  for (let n = 0; n < 6; n += 1) expect(servedFrom(await call('GET', `${P}/off`))).toBe('Local');
});
