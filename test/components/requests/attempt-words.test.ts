import { expect, test } from 'vitest';
import { answersWords, answerWords, regionsOf } from '#components/requests/attempt-words.ts';
import { AttemptRecord } from '#gateway/contract/telemetry.ts';

const attempt = (more: Partial<AttemptRecord>) =>
  AttemptRecord.parse({ status: 200, subStatus: 0, ru: 1, us: 900, ...more });

test('attempts name the region that answered, in order', () => {
  const attempts = [attempt({ status: 0, region: 'East' }), attempt({ region: 'West' })];
  expect(answersWords(attempts)).toBe('not at all in East, then 200 in West');
  expect(attempts.map(answerWords)).toEqual(['no reply', '200']);
  expect(regionsOf([...attempts, attempt({ region: 'East' })])).toEqual(['East', 'West']);
});

test('the read that was overtaken by its hedge gave no answer', () => {
  const attempts = [attempt({ status: 0, region: 'East', overtaken: true }), attempt({ region: 'West', hedge: true })];
  expect(answersWords(attempts)).toBe('200 in West');
  expect(answerWords(attempts[0] ?? attempt({}))).toBe('overtaken by the other read');
});

test('records of older gateways name no region', () => {
  const attempts = [attempt({ status: 429, subStatus: 3200 }), attempt({})];
  expect(answersWords(attempts)).toBe('429, then 200');
  expect(attempts.map(answerWords)).toEqual(['429/3200', '200']);
  expect(regionsOf(attempts)).toEqual([]);
});

test('a reply that throttled says how long it asked to wait', () => {
  expect(answerWords(attempt({ status: 429, subStatus: 3200, retryAfterMs: 30 }))).toBe(
    '429/3200, asked to wait 30\u00a0ms',
  );
});
