import type { IncomingMessage } from 'node:http';
import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import type { BodySource } from '#gateway/pipeline/request.ts';

/** The body of a request, read when a stage asks for it. */
export function bodyOf(message: IncomingMessage, nowMs: () => number): BodySource {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  return {
    announcedBytes: length === undefined ? null : Number(length),
    read: (maxBytes, deadlineAtMs) => {
      // A length is announced or the body is refused: nobody streams into memory without one.
      if (encoding !== undefined) {
        return Promise.resolve(deny('malformed_request', 'Send Content-Length instead of Transfer-Encoding.'));
      }
      if (Number(length) > maxBytes) {
        return Promise.resolve(deny('request_too_large', `This body has at most ${maxBytes} bytes.`));
      }
      if (length === undefined) return Promise.resolve(new Uint8Array());
      return collect(message, Math.max(0, deadlineAtMs - nowMs()));
    },
  };
}

function collect(message: IncomingMessage, timeoutMs: number): Promise<Uint8Array | Denial> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (outcome: Uint8Array | Denial) => {
      clearTimeout(timer);
      message.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(outcome);
    };
    const onData = (chunk: Buffer) => chunks.push(chunk);
    const onEnd = () => {
      const [only] = chunks;
      end(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    };
    const onClose = () => end(deny('malformed_request', 'The connection closed before the whole body came.'));
    const timer = setTimeout(() => {
      end(deny('deadline_exceeded', 'The body did not come within the deadline; nothing was written.'));
    }, timeoutMs);
    message.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
