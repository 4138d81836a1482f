import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { API_OPERATIONS, codesOf } from '#gateway/contract/api/api-operations.ts';
import { errorExampleOf } from '#gateway/contract/api/error-examples.ts';
import { ERRORS, type ErrorCode } from '#gateway/contract/errors.ts';
import { OPERATIONS } from '#gateway/contract/telemetry.ts';
import { readRequest } from '#gateway/http/read-request.ts';
import { described, judgeOf, operationAt, operationsIn } from './described.ts';

const operations = operationsIn(described);
const codes = Object.keys(ERRORS) as ErrorCode[];

test('every operation of the gateway is described, and only those', () => {
  expect([...new Set(API_OPERATIONS.map(({ operation }) => operation))].toSorted()).toEqual([...OPERATIONS].toSorted());
  const named = operations.flatMap(({ operation }) => operation['x-habitat-operations'] ?? []);
  expect(named.toSorted()).toEqual(API_OPERATIONS.map(({ operation }) => operation).toSorted());
});

/** What the gateway takes a request for. */
function takenFor(method: string, url: string): string | null {
  const message = { method, url, headers: {}, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage;
  const context = {
    requestId: 'r',
    arrivedUs: 0,
    nowMs: () => 0,
    nowUs: () => 0,
    nextId: () => 'r',
    consoleUrl: 'http://c',
  };
  const sessions = { seal: () => null, open: () => [] };
  return readRequest(message, { ...context, sessions }).mention.operation;
}

const placed = operations.filter(({ operation }) => operation['x-habitat-operations'] !== undefined);

test.each(placed.map((one) => [`${one.method} ${one.path}`, one] as const))(
  '%s is taken for what it is described as',
  (_, one) => {
    const path = one.path.replaceAll(/\{(\w+)\}/g, 'x');
    const named = one.operation['x-habitat-operations'] ?? [];
    const queries = one.path.endsWith('/edges/{edgeType}') ? ['', '?id=y'] : [''];
    expect(new Set(queries.map((query) => takenFor(one.method, `${path}${query}`)))).toEqual(new Set(named));
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
      // A colon in an id that is not one of a POST's belongs to the id.
      if (/:(commit|changeType)$/.test(path) && method !== 'POST') continue;
      const isDescribed = operationAt(described, method, path) !== undefined;
      expect(takenFor(method, path) !== null, `${method} ${path}`).toBe(isDescribed);
    }
  },
);

test('ids are unique, and the parameters of each path are those of its template', () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    const parameters = operation.parameters ?? [];
    const inPath = parameters.filter((one) => one.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(inPath.every(({ required }) => required)).toBe(true);
    const places = parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(places).size, path).toBe(places.length);
  }
});

test('every reference leads somewhere, and nothing that could be referred to is unused', () => {
  const text = JSON.stringify(described);
  const used = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
  );
  const { schemas, headers, examples } = described.components;
  const there = Object.entries({ schemas, headers, examples }).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `${kind}/${name}`),
  );
  // One is of an operation within a batch, the other answers what is not described.
  expect(there.filter((one) => !used.has(one))).toEqual([
    'examples/response_too_large',
    'examples/unsupported_operation',
  ]);
  expect([...used].filter((one) => !there.includes(one))).toEqual([]);
  expect(text).not.toContain('"$schema"');
});

test('each operation has an example of each code it may be refused with, under the status of the code', () => {
  for (const call of API_OPERATIONS) {
    const operation = operationAt(described, call.method, call.path)?.operation;
    for (const code of codesOf(call)) {
      const { description, content } = operation?.responses[ERRORS[code].status] ?? {};
      expect(description?.split(', '), `${call.id} ${code}`).toContain(code);
      expect(content?.['application/json']?.examples?.[code]).toEqual({ $ref: `#/components/examples/${code}` });
    }
  }
  expect(codes.filter((code) => !API_OPERATIONS.some((call) => codesOf(call).includes(code)))).toEqual([
    'response_too_large',
    'unsupported_operation',
  ]);
});

test.each(codes)('the example of %s is a refusal', (code) => {
  const judge = judgeOf({ $ref: '#/components/schemas/Error' }, described);
  expect(judge.safeParse(errorExampleOf(code)).error).toBeUndefined();
  expect(judge.safeParse({ error: { code: 'no_such_code' } }).success).toBe(false);
});
