import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { edgeType, exampleItems, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { startStack } from '#test/gateway/fixtures/stack.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'habitat-traffic-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function traffic(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const main = resolve(import.meta.dirname, 'main.ts');
  return new Promise((done) => {
    const env = { ...process.env, HABITAT_HOME: dir };
    const child = execFile(process.execPath, [main, ...args], { env }, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('the sample load is served, bounded, labelled, and summed up by operation', async () => {
  const key = makeKey('chat-api');
  const items = exampleItems(key);
  items.objectType.push(objectType('User'));
  items.edgeType.push(edgeType('members', 'Conversation', 'User'));
  const stack = await startStack(items);
  try {
    const { gateway, console: console_ } = stack;
    writeFileSync(join(dir, 'run.json'), JSON.stringify({ gatewayUrl: gateway.url, consoleUrl: console_.url }));
    writeFileSync(join(dir, 'demo-key'), `${key.token}\n`);
    const { code, out, err } = await traffic('--seconds', '2', '--rate', '30');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^operation\s+requests\s+p50\s+p95\s+p99$/m);
    const counts = [...out.matchAll(/^(?:object|edge)\.\w+\s+(\d+)/gm)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
    const results = /^Results: (.*)$/m.exec(out)?.[1] ?? '';
    expect(results.split(', ').map((one) => one.split(' ')[0])).toEqual(
      expect.arrayContaining(['200', '201', 'object_not_found']),
    );
    expect(results).not.toMatch(/malformed|forbidden|unknown|quota|unavailable/);
    await eventually('the gateway saw labelled ids', () =>
      console_.shipments.some(({ requests }) => requests.some(({ objectId }) => objectId?.startsWith('sample-'))),
    );
  } finally {
    await stack.stop();
  }
}, 90_000);

test.each([
  ['nothing runs', () => {}, [], /run\.json is missing\. Start Habitat with npm start/],
  [
    'the gateway is elsewhere',
    () => writeFileSync(join(dir, 'run.json'), '{"gatewayUrl":"https://gateway.example.com"}'),
    [],
    /is not on this machine/,
  ],
  [
    'the rate is out of bounds',
    () => {
      writeFileSync(join(dir, 'run.json'), '{"gatewayUrl":"http://127.0.0.1:1"}');
      writeFileSync(join(dir, 'demo-key'), 'k');
    },
    ['--rate', '501'],
    /--rate is "501"; it is a whole number from 1 to 500/,
  ],
])('it refuses in one sentence when %s', async (_, prepare, args, sentence) => {
  prepare();
  const { code, err } = await traffic(...args);
  expect(code).toBe(1);
  expect(err).toMatch(sentence);
  expect(err.trim().split('\n')).toHaveLength(1);
});
