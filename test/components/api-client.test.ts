import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiGet, apiSend, ConsoleError, withQuery } from '#components/api-client.ts';
import { startConsoleServer } from './console-server.ts';

const Thing = z.object({ name: z.string() });

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  ({ close } = await startConsoleServer(answer));
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('it should have failed')),
    (error: unknown) => {
      if (!(error instanceof ConsoleError)) throw error;
      return error;
    },
  );

describe('the one way to the console', () => {
  it('parses the reply by the contract and drops what the contract does not know', async () => {
    await serve((_request, response) => json(response, 200, { name: 'Message', extra: 1 }));
    expect(await apiGet('/api/things', Thing)).toEqual({ name: 'Message' });
  });

  it('sends what a foreign site cannot: the header, with every act and no read', async () => {
    const seen: (string | undefined)[] = [];
    await serve((request, response) => {
      seen.push(`${request.method} ${String(request.headers['x-habitat-csrf'])}`);
      json(response, 200, { name: 'x' });
    });
    await apiGet('/api/things', Thing);
    await apiSend('POST /api/things', Thing, { body: {} });
    await apiSend('DELETE /api/things/1', Thing);
    expect(seen).toEqual(['GET undefined', 'POST 1', 'DELETE 1']);
  });

  it('turns a refusal into a typed error with its fields and request id', async () => {
    const error = {
      code: 'invalid_input',
      message: 'A name starts with a capital.',
      requestId: 'req_9f',
      retryable: false,
      fields: { name: 'starts with a capital' },
    };
    await serve((_request, response) => json(response, 400, { error }));
    const caught = await failure(apiSend('POST /api/things', Thing));
    expect(caught).toMatchObject(error);
  });

  it('names a reply of another shape instead of passing it on', async () => {
    await serve((_request, response) => json(response, 200, { nombre: 'x' }));
    expect(await failure(apiGet('/api/things', Thing))).toMatchObject({ code: 'unexpected_reply', retryable: false });
  });

  it('survives a page of HTML where JSON was due', async () => {
    await serve((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    );
    expect(await failure(apiGet('/api/things', Thing))).toMatchObject({ code: 'unexpected_reply', retryable: true });
  });

  it('says unreachable when nothing answers, and too late when the answer does not come', async () => {
    await serve((request) => request.socket.destroy());
    expect(await failure(apiGet('/api/things', Thing))).toMatchObject({ code: 'unreachable', retryable: true });
    await close();
    await serve(() => undefined);
    expect(await failure(apiGet('/api/things', Thing, { timeoutMs: 50 }))).toMatchObject({
      code: 'timed_out',
      retryable: true,
    });
  });

  it('lets a page that left cancel its read without an error of the console', async () => {
    await serve(() => undefined);
    const leaving = new AbortController();
    const read = apiGet('/api/things', Thing, { signal: leaving.signal });
    leaving.abort();
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('leaves undefined parameters out of a query', () => {
    expect(withQuery('/api/audit', { tab: 'changes', cursor: undefined, limit: 50, q: 'a b&c' })).toBe(
      '/api/audit?tab=changes&limit=50&q=a+b%26c',
    );
    expect(withQuery('/api/audit')).toBe('/api/audit');
  });
});
