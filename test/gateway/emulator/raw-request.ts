import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';

/** A request as bytes on a connection of its own, so that a test sees what happens on the wire. */
export interface RawRequest {
  readonly url: string;
  readonly key: string;
  readonly method?: string;
  /** Path of the resource: `dbs/d/colls/c/docs/id`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Rejects with the error of the connection. `read ECONNRESET` is a reset; `socket hang up` would be an orderly end. */
export function send({ url, key, method = 'GET', path, headers, body, signal }: RawRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/${path}`,
      { method, agent: false, headers: { ...signed({ method, path, key }), ...headers }, ...(signal && { signal }) },
      (incoming) => {
        incoming.toArray().then(
          (chunks: Buffer[]) =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The error of a request that never got a reply; fails when it got one. */
export async function brokenBy(sent: Promise<RawReply>): Promise<string> {
  const outcome = await sent.then(
    (reply) => `answered ${reply.status}`,
    (error: Error) => error.message,
  );
  if (outcome.startsWith('answered')) throw new Error(outcome);
  return outcome;
}

function signed({ method, path, key }: { method: string; path: string; key: string }): Record<string, string> {
  const segments = path.split('/').filter((segment) => segment !== '');
  const isFeed = segments.length % 2 === 1;
  const type = (isFeed ? segments.at(-1) : segments.at(-2)) ?? '';
  const link = (isFeed ? segments.slice(0, -1) : segments).join('/');
  const date = new Date().toUTCString();
  const text = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
  const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return { authorization: encodeURIComponent(`type=master&ver=1.0&sig=${sig}`), 'x-ms-date': date };
}

/** Headers of an item request in the partition of one text. */
export const inPartition = (partition: string): Record<string, string> => ({
  'x-ms-documentdb-partitionkey': JSON.stringify([partition]),
});
