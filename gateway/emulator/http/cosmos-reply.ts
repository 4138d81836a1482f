import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { CosmosError, codeOf } from '#gateway/emulator/errors.ts';

/** A reply before it is written. `body` is JSON text; empty for none. */
export interface CosmosReply {
  readonly status: number;
  readonly body: string;
  readonly chargeRu: number;
  readonly headers: Readonly<Record<string, string>>;
}

export function reply(
  status: number,
  body: string,
  options: Partial<Omit<CosmosReply, 'status' | 'body'>> = {},
): CosmosReply {
  return { status, body, chargeRu: options.chargeRu ?? 1, headers: options.headers ?? {} };
}

export function replyToError(error: unknown): CosmosReply {
  const known = error instanceof CosmosError ? error : new CosmosError(500, 'The endpoint failed on this request.');
  const body = JSON.stringify({ code: codeOf(known.status), message: `Message: ${known.message}` });
  return reply(known.status, body, {
    chargeRu: known.charge,
    headers: {
      'x-ms-substatus': String(known.subStatus),
      ...(known.retryAfterMs === undefined ? {} : { 'x-ms-retry-after-ms': String(known.retryAfterMs) }),
    },
  });
}

export function writeReply(response: ServerResponse, { status, body, chargeRu, headers }: CosmosReply): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}),
    'x-ms-activity-id': randomUUID(),
    'x-ms-request-charge': String(chargeRu),
    'x-ms-version': '2020-07-15',
    'x-ms-serviceversion': 'version=habitat-local',
    ...headers,
  });
  // As text: Node then sends head and body in one piece.
  response.end(hasBody ? body : undefined);
}
