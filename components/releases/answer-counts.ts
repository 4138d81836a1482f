import type { ReleaseDetail } from '#server/contract/releases.ts';
import type { GatewayState } from '#server/contract/shell.ts';

type Answer = Pick<ReleaseDetail['gateways'][number], 'state' | 'left'>;

const ORDER: readonly (readonly [GatewayState, string])[] = [
  ['live', 'live'],
  ['applying', 'applying'],
  ['waiting', 'waiting for their stage'],
  ['rejected', 'rejected'],
  ['behind', 'behind'],
  ['silent', 'silent'],
  ['too old', 'too old'],
];

/** Every kind of answer counted apart: *2 live, 1 rejected, 1 left*. */
export function countAnswers(answers: readonly Answer[]): string {
  const staying = answers.filter(({ left }) => !left);
  const parts = ORDER.map(([state, word]) => [staying.filter((one) => one.state === state).length, word] as const);
  const left = answers.length - staying.length;
  return [...parts, [left, 'left'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
