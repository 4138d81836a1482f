import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openApi } from '#gateway/contract/api/openapi.ts';
import { GATEWAY_VERSION } from '#gateway/version.ts';

const PATH = '/v1/openapi.json';
/** It changes with the version of the gateway alone. */
const FRESH_S = 300;

interface Description {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Answers `/v1/openapi.json`, without a key: nothing in it belongs to a tenant. It is built when it is first asked for. Returns
 * false for anything else, other methods included.
 */
export function createDescription(): (message: IncomingMessage, response: ServerResponse) => boolean {
  let built: Description | null = null;
  return (message, response) => {
    if (message.url !== PATH) return false;
    if (message.method === 'OPTIONS') {
      response.writeHead(204, { Allow: 'GET, HEAD, OPTIONS' }).end();
      return true;
    }
    if (message.method !== 'GET' && message.method !== 'HEAD') return false;
    built ??= build();
    answer(built, message, response);
    return true;
  };
}

function build(): Description {
  const bytes = Buffer.from(JSON.stringify(openApi(GATEWAY_VERSION)));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag };
}

function answer({ bytes, etag }: Description, message: IncomingMessage, response: ServerResponse): void {
  const caching = { ETag: etag, 'Cache-Control': `max-age=${FRESH_S}` };
  const known = message.headers['if-none-match'];
  if (known === '*' || known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    response.writeHead(304, caching).end();
    return;
  }
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
  };
  response.writeHead(200, { ...headers, ...caching }).end(bytes);
}
