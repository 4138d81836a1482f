import type { AccessToken } from '@azure/identity';
import { expect, it } from 'vitest';
import { createEntraTokens } from '#gateway/store/azure/entra-tokens.ts';
import { BrokenAttempt } from '#gateway/store/http/broken-attempt.ts';

const HOUR_MS = 3_600_000;

/** Tokens over a clock that is moved by hand and an issuer that is told what to give. */
function scene(lifetimeMs = HOUR_MS) {
  const at = { nowMs: 0 };
  const asked: PromiseWithResolvers<AccessToken>[] = [];
  const fetch = () => {
    const next = Promise.withResolvers<AccessToken>();
    asked.push(next);
    return next.promise;
  };
  const tokens = createEntraTokens({ fetch, now: () => at.nowMs });
  const give = async (token: string, more: Partial<AccessToken> = {}) => {
    asked.at(-1)?.resolve({ token, expiresOnTimestamp: at.nowMs + lifetimeMs, ...more });
    await settled();
  };
  const fail = async (sentence: string) => {
    asked.at(-1)?.reject(new Error(sentence));
    await settled();
  };
  const header = (signal?: AbortSignal) => tokens.authorization(signal);
  return { at, asked, give, fail, header };
}

/** What a request was refused with. */
const refusalOf = (request: Promise<string>): Promise<unknown> =>
  request.then(
    (header) => ({ served: header }),
    (error: unknown) => error,
  );

/** Lets everything run that waits for no one. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('the first requests share one question, and later ones ask nothing', async () => {
  const { asked, give, header } = scene();
  const first = [header(), header(), header()];
  await give('a');
  expect(await Promise.all(first)).toEqual(Array(3).fill('type=aad&ver=1.0&sig=a'));
  expect(await header()).toBe('type=aad&ver=1.0&sig=a');
  expect(asked).toHaveLength(1);
});

it('a token is renewed before it expires, and no request waits for that', async () => {
  const { at, asked, give, header } = scene();
  void header();
  await give('a');
  at.nowMs = HOUR_MS - 5 * 60_000;
  expect(await Promise.all([header(), header()])).toEqual(Array(2).fill('type=aad&ver=1.0&sig=a'));
  expect(asked).toHaveLength(2);
  await give('b');
  expect(await header()).toBe('type=aad&ver=1.0&sig=b');
});

it('a token that says when to renew it is renewed then, once in half a minute if the old one comes again', async () => {
  const { at, asked, give, header } = scene();
  void header();
  await give('a', { refreshAfterTimestamp: 1_000 });
  at.nowMs = 1_000;
  await header();
  expect(asked).toHaveLength(1);
  at.nowMs = 30_000;
  await header();
  expect(asked).toHaveLength(2);
  await give('a', { refreshAfterTimestamp: 1_000, expiresOnTimestamp: HOUR_MS });
  at.nowMs = 59_999;
  await header();
  expect(asked).toHaveLength(2);
  at.nowMs = 60_000;
  await header();
  expect(asked).toHaveLength(3);
});

it('a failed renewal changes nothing while the token is valid, and is tried again', async () => {
  const { at, asked, give, fail, header } = scene();
  void header();
  await give('a');
  at.nowMs = HOUR_MS - 5 * 60_000;
  await header();
  await fail('down');
  expect(await header()).toBe('type=aad&ver=1.0&sig=a');
  expect(asked).toHaveLength(2);
  at.nowMs += 30_000;
  await header();
  await give('b');
  expect(await header()).toBe('type=aad&ver=1.0&sig=b');
});

it('a token about to expire is not sent', async () => {
  const { at, asked, give, header } = scene();
  void header();
  await give('a');
  at.nowMs = HOUR_MS - 30_000;
  const next = header();
  await give('b');
  expect(await next).toBe('type=aad&ver=1.0&sig=b');
  expect(asked).toHaveLength(2);
});

it('without a token every request fails as unsent, with the reason, and asks at most once a second', async () => {
  const { at, asked, fail, header } = scene();
  const first = refusalOf(header());
  await fail('no identity is set up.');
  expect(await first).toMatchObject({ message: 'Entra ID gave no token: no identity is set up.', wasSent: false });
  await expect(header()).rejects.toBeInstanceOf(BrokenAttempt);
  expect(asked).toHaveLength(1);
  at.nowMs = 1_000;
  const again = refusalOf(header());
  await fail('still not.');
  expect(await again).toMatchObject({ message: 'Entra ID gave no token: still not.' });
  expect(asked).toHaveLength(2);
});

it('a request whose time is up does not wait for a token', async () => {
  const { give, header } = scene();
  const abort = new AbortController();
  const impatient = header(abort.signal);
  const patient = header();
  abort.abort();
  await expect(impatient).rejects.toMatchObject({ message: 'Entra ID gave no token in time.', wasSent: false });
  await give('a');
  expect(await patient).toBe('type=aad&ver=1.0&sig=a');
  expect(await header(AbortSignal.abort())).toBe('type=aad&ver=1.0&sig=a');
});

it('a token that is expired when it comes points at the clock', async () => {
  const { give, header } = scene(0);
  const first = refusalOf(header());
  await give('a');
  expect(await first).toMatchObject({ message: expect.stringContaining('is the clock right?') });
});
