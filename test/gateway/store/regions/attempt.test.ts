import { expect, it } from 'vitest';
import { createAttemptScopes } from '#gateway/store/http/attempt-scope.ts';
import { type AttemptMeans, runAttempt } from '#gateway/store/regions/attempt.ts';
import type { Verdict } from '#gateway/store/regions/breaker.ts';
import { createBreaker } from '#gateway/store/regions/breaker.ts';
import { createLatency } from '#gateway/store/regions/latency.ts';
import { allocateRegionTable, openRegionTable, slotOf } from '#gateway/store/regions/shared-table.ts';
import { allocateSessionRows } from '#gateway/store/session-rows.ts';
import { createSessionTokens } from '#gateway/store/session-tokens.ts';

it('a mistake of the gateway itself, before anything was sent, is thrown and says nothing of the region', async () => {
  const breaker = createBreaker(slotOf(openRegionTable(allocateRegionTable()), 'https://east'), () => 0.5);
  const verdicts: Verdict[] = [];
  const means: AttemptMeans = {
    regionName: () => 'East',
    container() {
      throw new TypeError('a mistake');
    },
    points: { read: async () => null },
    breaker: { ...breaker, report: (_attempt, verdict) => void verdicts.push(verdict) },
    counts: { attempts: 0, failures: 0, throttled: 0, hedges: 0, hedgesWon: 0 },
    latency: { point: createLatency(), query: createLatency() },
    scopes: createAttemptScopes(),
    tokens: createSessionTokens({ account: 'local', container: 'main' }, allocateSessionRows()),
    now: Date.now,
    prepare: () => null,
    onContainerMissing: () => undefined,
  };
  const call = { meter: { add: () => undefined }, session: [] };
  const attempt = runAttempt(
    means,
    { call, run: async () => 'never', admission: 'probe' },
    { pk: 'pk', timeoutMs: 1_000 },
  );
  await expect(attempt).rejects.toThrow('a mistake');
  expect(verdicts).toEqual(['unclear']);
});
