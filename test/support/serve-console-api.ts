import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { readMe } from '#server/auth/read-me.ts';
import { NoInput } from '#server/auth/read-settings.ts';
import { applyDefinitions } from '#server/changes/apply-definitions.ts';
import { checkDefinitions } from '#server/changes/check-definitions.ts';
import { PublishChangeInput, publishChange } from '#server/changes/publish-change.ts';
import { SetPublishWhenApprovedInput, setPublishWhenApproved } from '#server/changes/publish-when-approved.ts';
import { ChangePath, readChange } from '#server/changes/read-change.ts';
import { ActInput, submitChange } from '#server/changes/submit-change.ts';
import { findApiRoute, pathParametersOf } from '#server/contract/api/api-routes.ts';
import { ApplyDefinitions, CheckDefinitions, ExportQuery } from '#server/contract/as-code.ts';
import { createHandle, type RouteHandler } from '#server/http/handle.ts';
import type { Installation } from '#server/http/installation.ts';
import { exportDefinitions } from '#server/registry/export-definitions.ts';

/** A console's API over real HTTP, as far as the habitat command uses it; each path with the verb its route file names. */
export interface ServedApi {
  readonly url: string;
  /** Every request so far: method and path. */
  readonly seen: readonly string[];
}

export async function serveConsoleApi(installation: Installation): Promise<ServedApi> {
  const handle = createHandle(async () => installation);
  const routes: Readonly<Record<string, RouteHandler>> = {
    'GET /api/me': handle(NoInput, readMe),
    'GET /api/definitions/export': handle(ExportQuery, exportDefinitions),
    'POST /api/definitions/check': handle(CheckDefinitions, checkDefinitions),
    'POST /api/definitions/apply': handle(ApplyDefinitions, applyDefinitions),
    'GET /api/changes/{number}': handle(ChangePath, readChange),
    'POST /api/changes/{number}/submit': handle(ActInput, submitChange),
    'POST /api/changes/{number}/publish': handle(PublishChangeInput, publishChange),
    'PUT /api/changes/{number}/publish-when-approved': handle(SetPublishWhenApprovedInput, setPublishWhenApproved),
  };
  const seen: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://console.test');
    const { method = 'GET', headers } = incoming;
    seen.push(`${method} ${url.pathname}`);
    const declared = findApiRoute(method, url.pathname);
    const route = declared === null ? undefined : routes[declared.key];
    if (declared === null || route === undefined) return outgoing.writeHead(404).end();
    const request = new Request(url, {
      method,
      headers: Object.entries(headers).map(([key, value]): [string, string] => [key, String(value)]),
      ...(method === 'GET' ? {} : { body: await text(incoming) }),
    });
    const reply = await route(request, { params: Promise.resolve(paramsOf(declared.path, url.pathname)) });
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    return outgoing.end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}`, seen };
}

function paramsOf(template: string, pathname: string): Record<string, string> {
  const names = new Set(pathParametersOf(template).map((name) => `{${name}}`));
  const parts = pathname.split('/');
  const pairs = template.split('/').map((part, index): [string, string] => [part, parts[index] ?? '']);
  return Object.fromEntries(
    pairs.filter(([part]) => names.has(part)).map(([part, value]) => [part.slice(1, -1), value]),
  );
}
