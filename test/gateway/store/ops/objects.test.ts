import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDenial } from '#gateway/pipeline/denial.ts';
import {
  codeOf,
  type Fixture,
  keyed,
  keyOf,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const NONE = { ifMatch: null, ifAbsent: false };

function put(
  id: string,
  text: string,
  precondition: Partial<typeof NONE> | { ifMatch: number } = {},
  call = newCall(),
) {
  const content = Buffer.from(text);
  const wanted = { content, contentType: 'text/plain', precondition: { ...NONE, ...precondition } };
  return fixture.store.putObject(keyOf('Message', id), wanted, call);
}

async function textOf(id: string, store = fixture.store): Promise<string> {
  const found = await servedBy(store.getObject(keyOf('Message', id), newCall()));
  const opened = await fixture.content.open(found.binding, found.sealed);
  if (isDenial(opened)) throw new Error(opened.code);
  return Buffer.from(opened).toString();
}

describe('an object', () => {
  it('that was put is read back by this gateway and by another', async () => {
    expect(await servedBy(put('a', 'hello'))).toMatchObject({ created: true });
    expect(await textOf('a')).toBe('hello');
    expect(await textOf('a', fixture.another())).toBe('hello');
  });

  it('is replaced with a higher revision, and reads name the revision that the put answered', async () => {
    const first = await servedBy(put('b', 'one'));
    const second = await servedBy(put('b', 'two'));
    expect(second.created).toBe(false);
    expect(second.r).toBeGreaterThan(first.r);
    const found = await servedBy(fixture.store.getObject(keyOf('Message', 'b'), newCall()));
    expect(found.r).toBe(second.r);
    expect(await textOf('b')).toBe('two');
  });

  it('is put only under the version that the caller names', async () => {
    const { r } = await servedBy(put('c', 'one'));
    expect(await codeOf(put('c', 'x', { ifMatch: r - 1 }))).toBe('version_conflict');
    expect(await codeOf(put('c', 'two', { ifMatch: r }))).toBe('served');
    expect(await codeOf(put('c', 'three', { ifMatch: r }))).toBe('version_conflict');
    expect(await codeOf(put('c-absent', 'x', { ifMatch: r }))).toBe('version_conflict');
    expect(await textOf('c')).toBe('two');
  });

  it('is created only once under ifAbsent, and again after a delete', async () => {
    expect(await codeOf(put('d', 'one', { ifAbsent: true }))).toBe('served');
    expect(await codeOf(put('d', 'two', { ifAbsent: true }))).toBe('already_exists');
    await servedBy(fixture.store.deleteObject(keyOf('Message', 'd'), { ifMatch: null, mirrored: [] }, newCall()));
    expect(await servedBy(put('d', 'three', { ifAbsent: true }))).toMatchObject({ created: true });
    expect(await textOf('d')).toBe('three');
  });

  it('keeps its bytes under any id, and no two ids meet', async () => {
    const ids = [
      'a/b',
      'a\\b',
      'a?b',
      'a#b',
      'a b',
      'a~b',
      'a|b',
      'a=b',
      'a=2Fb',
      'ä',
      'a%2Fb',
      '..a',
      '日本',
      ' ',
      'x'.repeat(255),
    ];
    for (const id of ids) await servedBy(put(id, `content of ${id}`));
    for (const id of ids) expect(await textOf(id)).toBe(`content of ${id}`);
  });

  it('costs one request and one RU to read', async () => {
    await servedBy(put('cost', 'x'));
    const call = newCall();
    await servedBy(fixture.store.getObject(keyOf('Message', 'cost'), call));
    expect(call.attempts).toHaveLength(1);
    expect(call.attempts[0]).toMatchObject({ status: 200, subStatus: 0 });
    expect(call.attempts[0]?.ru).toBeGreaterThanOrEqual(1);
    expect(call.attempts[0]?.ru).toBeLessThan(1.5);
  });

  it('that is absent or deleted is object_not_found', async () => {
    expect(await codeOf(fixture.store.getObject(keyOf('Message', 'never'), newCall()))).toBe('object_not_found');
    await servedBy(put('gone', 'x'));
    expect(await servedBy(remove('gone'))).toEqual({ deleted: true, sweeping: false });
    expect(await codeOf(fixture.store.getObject(keyOf('Message', 'gone'), newCall()))).toBe('object_not_found');
    expect(await servedBy(remove('gone'))).toEqual({ deleted: false, sweeping: false });
    expect(await servedBy(remove('never'))).toEqual({ deleted: false, sweeping: false });
  });

  it('under concurrent puts ends as one of them, with as many revisions as acknowledged puts', async () => {
    const stores = [fixture.store, fixture.another(), fixture.another()];
    const puts = stores.map((store, index) =>
      store.putObject(
        keyOf('Message', 'race'),
        { content: Buffer.from(`from ${index}`), contentType: 'text/plain', precondition: NONE },
        newCall(),
      ),
    );
    const acknowledged = await Promise.all(puts.map(servedBy));
    expect(new Set(acknowledged.map((one) => one.r)).size).toBe(3);
    const last = acknowledged.reduce((a, b) => (a.r > b.r ? a : b));
    expect(await textOf('race')).toBe(`from ${acknowledged.indexOf(last)}`);
  });
});

describe('object.delete', () => {
  it('under another version is refused', async () => {
    const { r } = await servedBy(put('versioned', 'x'));
    expect(await codeOf(remove('versioned', { ifMatch: r + 1 }))).toBe('version_conflict');
    expect(await servedBy(remove('versioned', { ifMatch: r }))).toEqual({ deleted: true, sweeping: false });
  });
});

describe('a keyed put', () => {
  it('repeated answers the stored outcome, also after others wrote (T13)', async () => {
    const first = await servedBy(put('k1', 'mine', {}, newCall(keyed('key-1'))));
    await servedBy(put('k1', 'theirs'));
    expect(await servedBy(put('k1', 'mine', {}, newCall(keyed('key-1'))))).toEqual(first);
    expect(await textOf('k1')).toBe('theirs');
  });

  it('repeated under If-Match is not refused by the version that it made itself', async () => {
    const { r } = await servedBy(put('k2', 'one'));
    const second = await servedBy(put('k2', 'two', { ifMatch: r }, newCall(keyed('key-2'))));
    expect(await servedBy(put('k2', 'two', { ifMatch: r }, newCall(keyed('key-2'))))).toEqual(second);
  });

  it('under the same key with another body is refused, and keys of two principals never meet', async () => {
    await servedBy(put('k3', 'one', {}, newCall(keyed('key-3', 'hash-1'))));
    expect(await codeOf(put('k3', 'two', {}, newCall(keyed('key-3', 'hash-2'))))).toBe('idempotency_conflict');
    expect(await codeOf(put('k3', 'two', {}, newCall(keyed('key-3', 'hash-2', 'service-b'))))).toBe('served');
    expect(await textOf('k3')).toBe('two');
  });

  it('sent many times at once takes effect once and answers the same each time', async () => {
    const stores = [fixture.store, fixture.another(), fixture.another(), fixture.store];
    const answers = await Promise.all(
      stores.map((store) =>
        servedBy(
          store.putObject(
            keyOf('Message', 'k4'),
            { content: Buffer.from('x'), contentType: 'text/plain', precondition: NONE },
            newCall(keyed('key-4')),
          ),
        ),
      ),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const found = await servedBy(fixture.store.getObject(keyOf('Message', 'k4'), newCall()));
    expect(found.r).toBe(answers[0]?.r);
  });
});

function remove(id: string, { ifMatch }: { readonly ifMatch: number | null } = { ifMatch: null }) {
  return fixture.store.deleteObject(keyOf('Message', id), { ifMatch, mirrored: [] }, newCall());
}
