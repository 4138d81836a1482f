import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { COMMON_ERRORS } from '#server/contract/api/api-route.ts';
import { findApiRoute, PLACED_ROUTES, pathParametersOf } from '#server/contract/api/api-routes.ts';
import { SERVER_ERRORS } from '#server/contract/errors.ts';
import type { RouteHandler } from '#server/http/handle.ts';
import { openApi } from '#server/http/openapi.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every handler of the console's own API as its route file exports it; next-auth's and the gateways' are not of it. */
const handlers = new Map<string, RouteHandler>();
for (const file of globSync('app/api/**/route.ts', { cwd: root }).toSorted()) {
  if (/^app\/api\/(auth|gateway)\//.test(file)) continue;
  const module = (await import(pathToFileURL(resolve(root, file)).href)) as Record<string, RouteHandler>;
  const path = file
    .replace(/^app|\/route\.ts$/g, '')
    .replaceAll('[', '{')
    .replaceAll(']', '}');
  for (const method of METHODS) if (module[method] !== undefined) handlers.set(`${method} ${path}`, module[method]);
}

test('every route file of the console is described, and nothing else is', () => {
  // One is missing: declare it in server/contract/api, with its scope, shapes and codes.
  expect(PLACED_ROUTES.map(({ key }) => key).toSorted()).toEqual([...handlers.keys()].toSorted());
});

test.each(PLACED_ROUTES.map((route) => [route.key, route] as const))('%s is described as it parses', (key, route) => {
  const taken = propertiesOf(handlers.get(key)?.input);
  const described = { ...propertiesOf(route.query), ...propertiesOf(route.body) };
  const inPath = pathParametersOf(route.path);
  expect(Object.keys(taken).toSorted()).toEqual([...new Set([...Object.keys(described), ...inPath])].toSorted());
  for (const [name, schema] of Object.entries(described)) expect(taken[name], name).toEqual(schema);
  expect(route.query === undefined || route.method === 'GET').toBe(true);
});

test('a path is led to the route that Next would take', () => {
  expect(findApiRoute('POST', '/api/changes/7/submit')?.key).toBe('POST /api/changes/{number}/submit');
  expect(findApiRoute('GET', '/api/changes/7/submit')).toBeNull();
  expect(findApiRoute('GET', '/api/openapixjson')).toBeNull();
  expect(findApiRoute('GET', '/api/gateway/manifest')).toBeNull();
});

test('each operation names its reply, its scope and the status of each code', () => {
  const Operation = z.looseObject({
    operationId: z.string().min(3),
    summary: z.string().min(3),
    'x-scope': z.string().nullable(),
    responses: z.record(z.string(), z.looseObject({ description: z.string().min(1), content: z.object({}) })),
  });
  const Document = z.looseObject({
    openapi: z.literal('3.1.0'),
    paths: z.record(z.string(), z.record(z.string(), Operation)),
  });
  const document = Document.parse(openApi());
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations).toHaveLength(PLACED_ROUTES.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { responses } of operations) {
    for (const code of COMMON_ERRORS) expect(responses[SERVER_ERRORS[code].status]?.description).toContain(code);
  }
  const publish = document.paths['/api/changes/{number}/publish']?.post;
  expect(publish?.['x-scope']).toBe('changes:publish');
  expect(publish?.responses[422]?.description).toContain('blocked_by_findings');
  expect(JSON.stringify(publish)).toContain('Idempotency-Key');
});

test('every reference leads to what the document holds, and every schema is one of JSON Schema', () => {
  const document = openApi();
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(references.length).toBeGreaterThan(0);
  for (const reference of new Set(references)) {
    const found = reference.split('/').reduce<unknown>((inner, key) => Object(inner)[key], document);
    expect(found, reference).toBeTypeOf('object');
  }
  expect(text).not.toContain('"$schema"');
  expect(text).not.toContain('"$defs"');
});

function propertiesOf(schema: z.ZodType | undefined): Record<string, unknown> {
  if (schema === undefined) return {};
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { ...json.properties };
}
