import type { ServerResponse } from 'node:http';
import type { PLAIN_ROUTES } from '#gateway/contract/api/plain-routes.ts';

/** What a gateway lacks to serve, empty when nothing. */
export interface Readiness {
  readonly missing: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

export interface HealthSources {
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

/** What is answered without a key, beside the description of the API itself. */
type HealthPath = Exclude<keyof typeof PLAIN_ROUTES, '/v1/openapi.json'>;

/**
 * `/healthz`: this worker runs. `/readyz`: it has a release and its store answers, else 503 and what is missing.
 * `/metrics`: Prometheus text of the whole process. Returns false for any other path.
 */
export function createHealth(sources: HealthSources): (path: string, response: ServerResponse) => boolean {
  const answers: Readonly<Record<HealthPath, (response: ServerResponse) => void>> = {
    '/healthz': (response) => send(response, 200, { ok: true }),
    '/readyz': async (response) => {
      const { missing, details } = await sources.readiness();
      const ready = missing.length === 0;
      send(response, ready ? 200 : 503, { ready, missing, ...details });
    },
    '/metrics': async (response) => {
      const text = await sources.metrics();
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text);
    },
  };
  return (path, response) => {
    if (!Object.hasOwn(answers, path)) return false;
    answers[path as HealthPath](response);
    return true;
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
