import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '#test/support/wait-until.ts';
import { codeOf, type Fixture, idOf, keyOf, messages, newCall, startFixture } from './store-fixture.ts';

let fixture: Fixture;
let lateByMs = 0;
beforeAll(async () => {
  fixture = await startFixture(() => Date.now() + lateByMs);
});
afterAll(() => fixture.stop());

it('a write whose every copy was refused by the store says so, also when its pause outlasts the deadline', async () => {
  const from = keyOf('Conversation', 'late');
  fixture.emulator.faults.add({
    effect: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 1_000 },
    operations: ['batch'],
  });
  const call = newCall({ deadlineAtMs: Date.now() + 60_000 });
  const told = codeOf(
    fixture.store.putEdge({ from, rule: messages, toId: idOf('a') }, { timeMs: 1, data: null }, call),
  );
  await waitUntil(() => call.attempts.some(({ status }) => status === 429));
  await new Promise((resolve) => setTimeout(resolve, 200));
  lateByMs = 120_000;
  expect(await told).toBe('store_throttled');
});
