import type { z } from 'zod';
import { createMachineHandle, type MachineCtx } from '#server/gateways/handle-machine.ts';
import type { BareConsole } from './bare-console.ts';

interface MachineCall<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly verb: (ctx: MachineCtx, input: z.infer<Schema>) => Promise<unknown>;
  readonly gateway?: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly params?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Calls a verb of the machine API as a gateway does: a real Request in, a real Response out. */
export function callMachine<Schema extends z.ZodType>(to: BareConsole, call: MachineCall<Schema>): Promise<Response> {
  const route = createMachineHandle(async () => to.installation)(call.schema, call.verb);
  const url = `http://console.test/api/gateway/x?gateway=${call.gateway ?? 'gw-a'}`;
  const request = new Request(url, {
    method: call.body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${call.token ?? to.gatewayToken}`, ...call.headers },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  // As Next does it: no parameters at all for a path without any.
  return route(request, { params: Promise.resolve(call.params) });
}
