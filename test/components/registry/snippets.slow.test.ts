import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { clientSnippetOf } from '#components/registry/client-snippet.ts';
import { curlOf, exportLine, operationsOf, type SnippetTarget, typescriptOf } from '#components/registry/snippets.ts';

const run = promisify(execFile);

interface Call {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

const calls: Call[] = [];
const server = createServer(async (request, reply) => {
  calls.push(await read(request));
  reply
    .setHeader('Habitat-Request-Id', 'r')
    .setHeader('Habitat-Release', 'r2')
    .setHeader('Habitat-Ru', '1.0')
    .end(answer);
});
const OK = '{"ok":true}';
let answer = OK;
let folder = '';
let gatewayUrl = '';

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  // The shell's side of a curl snippet is what can go wrong; this prints the arguments that curl would be given.
  await writeFile(join(folder, 'curl'), '#!/bin/sh\nfor each in "$@"; do printf "%s\\0" "$each"; done\n');
  await chmod(join(folder, 'curl'), 0o755);
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const objectTarget = (id: string): SnippetTarget => ({
  gatewayUrl,
  tenant: 'chat',
  kind: 'objectType',
  type: 'Message',
  id,
});

const edgeTarget = (id: string, toId: string): SnippetTarget => ({
  gatewayUrl,
  tenant: 'chat',
  kind: 'edgeType',
  type: 'messages',
  from: 'Conversation',
  id,
  toId,
});

const AWKWARD = 'a/b?c#d%e $HOME `x` "y" \'z\' ü😀‮';

const TARGETS: [string, () => SnippetTarget][] = [
  ['a plain id', () => objectTarget('hello')],
  ['an id with every awkward character', () => objectTarget(AWKWARD)],
  ['an edge between awkward ids', () => edgeTarget(AWKWARD, `${AWKWARD}2`)],
];

test.each(TARGETS)('curl as pasted into a shell calls exactly the operation: %s', async (_, target) => {
  for (const operation of operationsOf(target())) {
    const script = `${exportLine('echo hk_test')}\n${curlOf(operation)}`;
    const { stdout } = await run('sh', ['-c', script], {
      env: { PATH: `${folder}:/usr/bin:/bin`, HOME: '/nowhere', NODE_ENV: 'test' },
    });
    const args = stdout.split('\0').slice(0, -1);
    expect(args.slice(0, 4)).toEqual(['-i', '-X', operation.method, operation.url]);
    expect(args).toContain('Authorization: Bearer hk_test');
    expect(args.at(-1)).toBe(operation.body ?? 'Authorization: Bearer hk_test');
  }
});

test.each(TARGETS)('TypeScript as pasted into a file makes exactly the call: %s', async (_, target) => {
  for (const operation of operationsOf(target())) {
    const file = join(folder, `${operation.id}.mts`);
    await writeFile(file, typescriptOf(operation));
    calls.length = 0;
    const { stdout } = await run(process.execPath, [file], { env: { HABITAT_KEY: 'hk_test', NODE_ENV: 'test' } });
    expect(stdout).toBe('200 r2 1.0\n{"ok":true}\n');
    expect(calls).toEqual([
      {
        method: operation.method,
        url: operation.url.slice(gatewayUrl.length),
        authorization: 'Bearer hk_test',
        contentType: operation.contentType,
        body: operation.body ?? '',
      },
    ]);
  }
});

test.each(TARGETS.slice(1))('the client as pasted into a file makes exactly the call: %s', async (_, target) => {
  const edge = { from: 'Conversation', to: 'Message' };
  await writeFile(
    join(folder, 'habitat.ts'),
    `export const habitat = ${JSON.stringify({ objects: { Message: {} }, edges: { messages: edge } })} as const;`,
  );
  // What the client reads out of any of the replies.
  answer = JSON.stringify({ results: [{}], edges: [], count: 0 });
  onTestFinished(() => {
    answer = OK;
  });
  const client = pathToFileURL(resolve('gateway/client/client.ts')).href;
  for (const operation of operationsOf(target())) {
    const file = join(folder, `client-${operation.id}.mts`);
    await writeFile(file, clientSnippetOf(operation, target()).replace('habitat-client', client));
    calls.length = 0;
    await run(process.execPath, [file], { env: { HABITAT_KEY: 'hk_test', NODE_ENV: 'test' } });
    expect(calls).toEqual([
      {
        method: operation.method,
        url: operation.url.slice(gatewayUrl.length),
        authorization: 'Bearer hk_test',
        contentType: operation.contentType,
        body: operation.body ?? '',
      },
    ]);
  }
});

test('an awkward id stays one path segment and comes back as it was', () => {
  const [put] = operationsOf(objectTarget(AWKWARD));
  const segments = new URL(put.url).pathname.split('/');
  expect(segments).toHaveLength(6);
  expect(decodeURIComponent(segments[5] ?? '')).toBe(AWKWARD);
});

test('without a demo key the export line shows where one goes', () => {
  expect(exportLine(undefined)).toBe("export HABITAT_KEY='hk_…'");
});

async function read(request: IncomingMessage): Promise<Call> {
  let body = '';
  for await (const part of request) body += String(part);
  const { authorization, 'content-type': contentType } = request.headers;
  return { method: request.method, url: request.url, authorization, contentType, body };
}
