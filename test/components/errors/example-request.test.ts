import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { clientLines, clientSetup } from '#components/errors/client-lines.ts';
import { curlOfExample, type ExampleTarget, exampleRequest, needsOf } from '#components/errors/example-request.ts';
import { API_OPERATIONS } from '#gateway/contract/api/api-operations.ts';

const TARGET: ExampleTarget = {
  gatewayUrl: 'http://127.0.0.1:4000/',
  tenant: 'shop',
  from: 'Order',
  edgeType: 'lines',
  to: 'Line',
  otherEdgeType: 'returned',
};
const NAMES_OF_THE_DESCRIPTION = /Conversation|Message|messages|archived|\/chat\//;

const examples = API_OPERATIONS.flatMap((call) =>
  call.examples.map((example) => [example.name, { call, example }] as const),
);

/** The arguments that a shell gives curl. */
function argumentsOf(code: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${code}`;
  const env = { ...process.env, HABITAT_KEY: 'hk_key' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

test.each(examples)('%s is asked of this installation, and a shell passes it on as it is', (_, { call, example }) => {
  const request = exampleRequest(call, example, TARGET);
  const told = argumentsOf(curlOfExample(request));
  const [, , method, url, ...rest] = told;
  expect([method, url]).toEqual([call.method, request.url]);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4000\/v1\/shop\/(objects\/(Order|Line)|batch)/);
  expect(told.join('\n')).not.toMatch(NAMES_OF_THE_DESCRIPTION);
  expect(rest).toContain('Authorization: Bearer hk_key');
  for (const [name, value] of Object.entries(example.headers ?? {})) expect(rest).toContain(`${name}: ${value}`);
  const body = rest[rest.indexOf('--data-binary') + 1] ?? '';
  if (example.body === undefined) expect(rest).not.toContain('--data-binary');
  else expect(Object.keys(JSON.parse(body))).toEqual(Object.keys(Object(example.body)));
});

test('a quote in a body stays a quote', () => {
  const [call] = API_OPERATIONS;
  if (call === undefined) throw new Error('There is no operation.');
  const example = { ...call.examples[0], body: { title: "Ana's $(lunch) `x` \\" } };
  const told = argumentsOf(curlOfExample(exampleRequest(call, example, TARGET)));
  expect(JSON.parse(told.at(-1) ?? '')).toEqual(example.body);
});

test.each(API_OPERATIONS.map((call) => [call.id, call] as const))('%s has lines of the client library', (id, call) => {
  const hasEdges = needsOf(call) !== 'objectType';
  const lines = clientLines(id, TARGET);
  expect(lines).toContain('client.');
  expect(lines).not.toMatch(NAMES_OF_THE_DESCRIPTION);
  // What the lines use stands in the setup.
  expect(clientSetup(TARGET, hasEdges).includes('const edges = ')).toBe(
    /\b(edges|to)\b(?!:)/.test(lines.replace(/client\.(operations\.)?edges|edge\.to/g, '')),
  );
});
