import type { IncomingHttpHeaders } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import type { Stop } from './stop.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Why no whole reply came. */
export interface NoReply {
  readonly noReply: 'unreachable' | 'connection_lost' | 'deadline' | 'aborted';
  /** Whether a byte of the request may have arrived. */
  readonly wasSent: boolean;
  readonly cause: unknown;
}

export interface Exchanged {
  readonly outcome: HttpReply | NoReply;
  /** Whether the connection may carry another request. */
  readonly isSound: boolean;
}

/** One request and its whole reply over one connection, through undici's lowest layer. Never rejects. */
export function exchange(client: Client, request: HttpRequest, stop: Stop): Promise<Exchanged> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let wasSent = false;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    const end = (outcome: HttpReply | NoReply, isSound: boolean) => {
      takeBack();
      resolve({ outcome, isSound });
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {
        wasSent = true;
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
        end({ status, headers, body: joined(chunks) }, !asksToClose(headers));
      },
      onResponseError(_controller, cause) {
        const noReply = stop.reason ?? (wasSent ? 'connection_lost' : 'unreachable');
        end({ noReply, wasSent, cause }, false);
      },
    };
    const { method, path, headers: sent, body } = request;
    // What was sent cannot be taken back: the connection goes with the call.
    const takeBack = stop.onStop(() => void client.destroy(new Error(OUT_OF_TIME)).catch(() => undefined));
    client.dispatch({ method, path, headers: sent, body }, handler);
  });
}

const OUT_OF_TIME = 'The call had to end before its reply came.';

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** RFC 9110 §7.6.1: a list of tokens, in any case. */
function asksToClose(headers: IncomingHttpHeaders): boolean {
  return /(^|,)\s*close\s*(,|$)/i.test(headers.connection ?? '');
}
