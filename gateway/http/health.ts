import type { ServerResponse } from 'node:http';

/** What a gateway lacks to serve, empty when nothing. */
export interface Readiness {
  readonly missing: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

export interface HealthSources {
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

/**
 * `/healthz`: this worker runs. `/readyz`: it has a release and its store answers, else 503 and what is missing.
 * `/metrics`: Prometheus text of the whole process. Returns false for any other path.
 */
export function createHealth(sources: HealthSources): (path: string, response: ServerResponse) => boolean {
  return (path, response) => {
    switch (path) {
      case '/healthz':
        send(response, 200, { ok: true });
        return true;
      case '/readyz':
        void sources.readiness().then(({ missing, details }) => {
          const ready = missing.length === 0;
          send(response, ready ? 200 : 503, { ready, missing, ...details });
        });
        return true;
      case '/metrics':
        void sources.metrics().then((text) => {
          response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text);
        });
        return true;
      default:
        return false;
    }
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
