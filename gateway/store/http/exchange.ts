import type { IncomingHttpHeaders } from 'node:http';
import type { Client, Dispatcher } from 'undici';

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | null;
  readonly signal: AbortSignal | undefined;
  /** Called just before the first byte is written. */
  readonly onSend: () => void;
}

/**
 * One request and its whole reply over one connection, through undici's lowest layer. Rejects on anything that is not
 * a complete reply; an abort destroys the connection, since its next reply would belong to the aborted request.
 */
export function exchange(client: Client, request: Exchange): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const abort = () => client.destroy(new Error('The attempt ran out of time.')).catch(() => undefined);
    const settle = (finish: () => void) => {
      request.signal?.removeEventListener('abort', abort);
      finish();
    };
    request.signal?.addEventListener('abort', abort, { once: true });
    client.dispatch(
      {
        // The SDK's methods are the five that undici knows; its type is wider than the SDK's string.
        method: request.method as Dispatcher.HttpMethod,
        path: request.path,
        headers: request.headers,
        body: request.body,
      },
      collect(request, {
        done: (reply) => settle(() => resolve(reply)),
        failed: (error) => settle(() => reject(error)),
      }),
    );
    if (request.signal?.aborted) abort();
  });
}

interface Ends {
  readonly done: (reply: RawReply) => void;
  readonly failed: (error: Error) => void;
}

function collect(request: Exchange, ends: Ends): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let status = 0;
  let headers: IncomingHttpHeaders = {};
  return {
    onRequestStart() {
      request.onSend();
    },
    onResponseStart(_controller, statusCode, replyHeaders) {
      status = statusCode;
      headers = replyHeaders;
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      ends.done({ status, headers, text: Buffer.concat(chunks).toString('utf8') });
    },
    onResponseError(_controller, error) {
      ends.failed(error);
    },
  };
}
