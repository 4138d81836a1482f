import { expect, it } from 'vitest';
import { publishWords } from '#components/changes/publish-words.ts';
import type { GatewayState } from '#server/contract/shell.ts';

const fleet = (...states: readonly GatewayState[]) =>
  states.map((state, at) => ({ name: `gw-${at}`, state, serves: 1 }));
const words = (gateways: ReturnType<typeof fleet> | undefined, staged = true, emergency = false) =>
  publishWords({ emergency }, { gateways, staged });

it('tells of the gateways that are there, not of those that might be', () => {
  expect(words(fleet('live'))).toBe('It becomes the next release and goes to gw-0. This page shows when it is live.');
  expect(words(fleet('live', 'silent', 'too old'))).toContain('goes to gw-0.');
  expect(words([])).toContain('No gateway is connected');
  expect(words(fleet('live', 'live', 'behind'))).toContain('some of the 3 gateways first');
  expect(words(undefined)).not.toContain('gateway');
});

it('promises no stages where there are none', () => {
  expect(words(fleet('live', 'live'), false)).toContain('all 2 gateways at once');
  expect(words(fleet('live', 'live'), true, true)).toContain('all 2 gateways at once');
});
