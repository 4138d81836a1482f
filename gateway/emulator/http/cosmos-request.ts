import type { IncomingHttpHeaders } from 'node:http';
import { badRequest } from '#gateway/emulator/errors.ts';

/** A request as the handlers see it: the path decoded, the body still bytes. */
export interface CosmosRequest {
  readonly method: string;
  /** Decoded segments of the path: `['dbs', 'd', 'colls', 'c', 'docs', 'id']`. */
  readonly segments: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export function splitTarget(target: string): readonly string[] {
  const path = target.split('?', 1)[0] ?? '';
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch {
    throw badRequest('The path is not valid percent-encoded UTF-8.');
  }
}

export function header(request: CosmosRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The partition key of the header as one text for equal keys; undefined when there is none that can be read. */
export function partitionOf(request: CosmosRequest): string | undefined {
  const text = header(request, 'x-ms-documentdb-partitionkey');
  if (text === undefined) return undefined;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const isTrue = (request: CosmosRequest, name: string): boolean =>
  header(request, name)?.toLowerCase() === 'true';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function bodyJson(request: CosmosRequest): unknown {
  try {
    return JSON.parse(UTF8.decode(request.body));
  } catch {
    throw badRequest('The request body is not valid JSON.');
  }
}
