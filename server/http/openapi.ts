import 'server-only';
import { z } from 'zod';
import { type Json, schemaOf } from '#gateway/contract/api/json-schema.ts';
import { COMMON_ERRORS, PATH_PARAMETERS } from '#server/contract/api/api-route.ts';
import { PLACED_ROUTES, type PlacedRoute, pathParametersOf } from '#server/contract/api/api-routes.ts';
import { API_HEADER, API_VERSION, IDEMPOTENCY_HEADER } from '#server/contract/api/version.ts';
import { ConsoleErrorBody, SERVER_ERRORS, type ServerErrorCode } from '#server/contract/errors.ts';

/** GET /api/openapi.json: OpenAPI 3.1 of every route, made from the same shapes that parse and answer them. */
export async function readOpenApi(): Promise<Json> {
  return openApi();
}

/** The description of `routes`; `x-scope` says what a token needs, null that it takes a signed-in person. */
export function openApi(routes: readonly PlacedRoute[] = PLACED_ROUTES): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Habitat console',
      version: String(API_VERSION),
      description: `Used by the pages and by the habitat command alike. Replies carry ${API_HEADER}; a client that sends it is told when it is too old.`,
    },
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Made in Settings, on the tab Tokens: hbt_…' },
        session: { type: 'apiKey', in: 'cookie', name: 'next-auth.session-token' },
      },
      schemas: { Error: schemaOf(ConsoleErrorBody, 'output') },
    },
  };
}

function operationOf(route: PlacedRoute): Json {
  const { scope } = route;
  return {
    operationId: route.key
      .replace(/^(\w+) \/api\//, '$1_')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replace(/_$/, ''),
    summary: route.summary,
    tags: [route.tag],
    'x-scope': scope,
    security: scope === null ? [{ session: [] }] : [{ token: [] }, { session: [] }],
    parameters: parametersOf(route),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } },
        }),
    responses: {
      200: {
        description: 'Done.',
        content: { [route.mediaType ?? 'application/json']: { schema: schemaOf(route.reply, 'output') } },
      },
      ...refusalsOf(route),
    },
  };
}

function parametersOf(route: PlacedRoute): Json[] {
  const inPath = pathParametersOf(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(PATH_PARAMETERS[name] ?? z.string(), 'input'),
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema as z.ZodType, undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
  const key = { name: IDEMPOTENCY_HEADER, in: 'header', required: false, schema: { type: 'string', maxLength: 128 } };
  return [...inPath, ...inQuery, ...(route.isIdempotent === true ? [key] : [])];
}

/** By status, since OpenAPI has one reply a status: the codes stand in its description. */
function refusalsOf(route: PlacedRoute): Json {
  const codes: readonly ServerErrorCode[] = [
    ...COMMON_ERRORS,
    ...(route.method === 'GET' ? [] : (['csrf_refused'] as const)),
    ...(route.errors ?? []),
    ...(route.isIdempotent === true ? (['conflict'] as const) : []),
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => SERVER_ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
