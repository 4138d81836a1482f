import type { Json } from './json-schema.ts';

const json = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { type: 'object' } } },
});

const route = (operationId: string, summary: string, responses: Json): Json => ({
  get: { operationId, summary, tags: ['gateway'], security: [], responses },
});

/** What a gateway answers without a key: nothing of any tenant. */
export const PLAIN_ROUTES = {
  '/healthz': route('healthz', 'Whether this worker runs', { 200: json('It does.') }),
  '/readyz': route('readyz', 'Whether the gateway serves', {
    200: json('It has a release and its store answers.'),
    503: json('It does not; `missing` says what it lacks.'),
  }),
  '/metrics': route('metrics', 'Figures of the whole process for Prometheus', {
    200: { description: 'Prometheus text, version 0.0.4.', content: { 'text/plain': { schema: { type: 'string' } } } },
  }),
  '/v1/openapi.json': route('openapi', 'This description', {
    200: {
      ...json('OpenAPI 3.1.'),
      headers: { ETag: { description: 'Changes with the description.', schema: { type: 'string' } } },
    },
    304: { description: 'The caller has it.' },
  }),
} as const satisfies Record<string, Json>;
