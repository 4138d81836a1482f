import { type Denial, isDenial } from './denial.ts';
import type { BodyAsk, Call } from './request.ts';
import type { Trace } from './trace.ts';

export interface BodyAskPorts {
  sha256Hex(parts: readonly (string | Uint8Array)[]): string;
}

/**
 * Reads the body that says what is asked. An idempotency key is bound to the body as to the rest of the request.
 * Refuses with `malformed_request`, `request_too_large`, `deadline_exceeded`.
 */
export async function readBodyAsk(call: Call<BodyAsk>, trace: Trace, ports: BodyAskPorts): Promise<Call | Denial> {
  const body = await trace.incoming.body.read(call.ask.maxBytes, trace.atMs + call.deadlineMs);
  if (isDenial(body)) return body;
  const ask = call.ask.read(body);
  if (isDenial(ask)) return ask;
  const bound = call.idempotencyKey === null ? [] : [call.fingerprint, ports.sha256Hex([body])];
  return { ...call, ask, fingerprint: JSON.stringify(bound) };
}
