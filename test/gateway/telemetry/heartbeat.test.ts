import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HEARTBEAT_EVERY_MS } from '#gateway/contract/machine-api.ts';
import { createHeartbeat } from '#gateway/telemetry/heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function beating(answers: () => 'ok' | 'away') {
  const beats: { readonly left: boolean }[] = [];
  const post = async (_path: string, body: unknown) => {
    beats.push(body as { left: boolean });
    if (answers() === 'away') return { kind: 'away' as const, message: 'refused' };
    return { kind: 'ok' as const, status: 200, headers: new Headers(), body: Buffer.from('{"liveGateways":3}') };
  };
  const shares: number[] = [];
  const heartbeat = createHeartbeat({
    client: { post } as unknown as Parameters<typeof createHeartbeat>[0]['client'],
    url: 'http://127.0.0.1:1',
    startedAtMs: 0,
    serves: () => null,
    statuses: () => [],
    regions: () => [],
    auditBacklog: () => 0,
    onLiveGateways: (count) => shares.push(count),
    afterBeat: async () => undefined,
  });
  return { heartbeat, beats, shares };
}

test('a gateway that starts before its console is listed within a second of the console answering', async () => {
  let state: 'ok' | 'away' = 'away';
  const { heartbeat, beats, shares } = beating(() => state);
  heartbeat.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shares).toEqual([]);
  state = 'ok';
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shares).toEqual([3]);
  const known = beats.length;
  await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_EVERY_MS);
  expect(beats.length).toBe(known + 3);
});

test('a gateway that leaves says so once and is not heard again', async () => {
  const { heartbeat, beats } = beating(() => 'ok');
  heartbeat.start();
  await vi.advanceTimersByTimeAsync(100);
  await heartbeat.leave();
  expect(beats.at(-1)?.left).toBe(true);
  const count = beats.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(beats.length).toBe(count);
});
