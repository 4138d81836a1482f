import { expect, it } from 'vitest';
import { countAnswers } from '#components/releases/answer-counts.ts';
import { GATEWAY_STATES } from '#server/contract/shell.ts';

it('counts every kind of answer apart, and gateways that left for themselves', () => {
  const answers = [
    { state: 'live', left: false },
    { state: 'live', left: true },
    { state: 'rejected', left: false },
    { state: 'silent', left: false },
  ] as const;
  expect(countAnswers(answers)).toBe('1 live, 1 rejected, 1 silent, 1 left');
});

it('forgets no state', () => {
  const words = GATEWAY_STATES.map((state) => countAnswers([{ state, left: false }]));
  expect(new Set(words).size).toBe(GATEWAY_STATES.length);
  expect(words).not.toContain('');
});
