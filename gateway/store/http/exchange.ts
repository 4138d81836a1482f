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
  /** Called once, when the connection is free again: before the promise settles, or after when it was aborted. */
  readonly onFree: (isSound: boolean) => void;
  /** Called when the signal aborted and only the late reply is still awaited. */
  readonly onAbandon: () => void;
}

/**
 * How long the reply of an aborted request is awaited before its connection is closed. Closing costs a new connection,
 * two round trips and a TLS handshake; the reply of a hedged read's loser is mostly a few milliseconds away.
 */
const LATE_REPLY_MS = 1_000;

/**
 * One request and its whole reply over one connection, through undici's lowest layer. Rejects on anything that is not
 * a complete reply, and at once on abort. A request that was sent cannot be taken back, so its connection is free only
 * when its late reply has come; before a byte was sent, an abort closes the connection.
 */
export function exchange(client: Client, request: Exchange): Promise<RawReply> {
  if (request.signal?.aborted) {
    request.onFree(true);
    return Promise.reject(new Error(OUT_OF_TIME));
  }
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>();
  const late = createLateReply(client, request, reject);
  request.signal?.addEventListener('abort', late.abort, { once: true });
  const end = (isSound: boolean) => {
    request.signal?.removeEventListener('abort', late.abort);
    late.stop();
    request.onFree(isSound);
  };
  client.dispatch(
    {
      // The SDK's methods are the five that undici knows; its type is wider than the SDK's string.
      method: request.method as Dispatcher.HttpMethod,
      path: request.path,
      headers: request.headers,
      body: request.body,
    },
    collect({
      sending: () => {
        late.noteSent();
        request.onSend();
      },
      done: (reply) => {
        end(!asksToClose(reply.headers));
        resolve(reply);
      },
      failed: (error) => {
        end(false);
        reject(error);
      },
    }),
  );
  return promise;
}

function createLateReply(client: Client, request: Exchange, reject: (error: Error) => void) {
  let isSent = false;
  let timer: NodeJS.Timeout | undefined;
  const destroy = () => void client.destroy(new Error(OUT_OF_TIME)).catch(() => undefined);
  return {
    noteSent: () => {
      isSent = true;
    },
    abort() {
      if (!isSent) return destroy();
      timer = setTimeout(destroy, LATE_REPLY_MS).unref();
      request.onAbandon();
      reject(new Error(OUT_OF_TIME));
    },
    stop: () => clearTimeout(timer),
  };
}

const OUT_OF_TIME = 'The attempt ran out of time.';

/** RFC 9110 §7.6.1: a list of tokens, in any case. */
function asksToClose(headers: IncomingHttpHeaders): boolean {
  return /(^|,)\s*close\s*(,|$)/i.test(headers.connection ?? '');
}

interface Ends {
  readonly sending: () => void;
  readonly done: (reply: RawReply) => void;
  readonly failed: (error: Error) => void;
}

function collect(ends: Ends): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let status = 0;
  let headers: IncomingHttpHeaders = {};
  return {
    onRequestStart() {
      ends.sending();
    },
    /** Called for interim replies (1xx) too; the last one counts. */
    onResponseStart(_controller, statusCode, replyHeaders) {
      status = statusCode;
      headers = replyHeaders;
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      ends.done({ status, headers, text: textOf(chunks) });
    },
    onResponseError(_controller, error) {
      ends.failed(error);
    },
  };
}

const BYTE_ORDER_MARK = 0xfeff;

/** Without a byte order mark, which JSON.parse refuses. */
function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
