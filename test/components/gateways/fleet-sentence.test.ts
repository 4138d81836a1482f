import { expect, test } from 'vitest';
import { fleetSentence } from '#components/gateways/fleet-sentence.ts';
import type { GatewayState } from '#server/contract/shell.ts';

const fleet = (...states: readonly GatewayState[]) => states.map((state) => ({ state }));

test.each([
  [fleet(), 42, 'No gateway is connected, so nothing is enforced and nothing is served.'],
  [fleet('applying'), null, '1 gateway connected. Nothing is published yet, so they deny everything.'],
  [fleet('live'), 42, 'The only gateway serves r42.'],
  [fleet('live', 'live'), 42, 'Both gateways serve r42.'],
  [fleet('live', 'live', 'live'), 42, 'All 3 gateways serve r42.'],
  [fleet('live', 'rejected', 'silent'), 42, '1 of 3 gateways serves r42; 1 rejected it, 1 silent.'],
  [fleet('behind', 'too old'), 42, '0 of 2 gateways serve r42; 1 behind, 1 too old for it.'],
])('the fleet in one sentence: %j', (gateways, target, sentence) => {
  expect(fleetSentence(gateways, target)).toBe(sentence);
});
