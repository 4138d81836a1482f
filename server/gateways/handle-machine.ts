import 'server-only';
import type { z } from 'zod';
import { GatewayName } from '#gateway/contract/machine-api.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Database } from '#server/db/client.ts';
import type { Listener } from '#server/db/listen.ts';
import type { ConsoleEnv } from '#server/env.ts';
import { type Installation, installation } from '#server/http/installation.ts';
import { fieldsOf, respond } from '#server/http/respond.ts';
import type { Signer } from '#server/publication/signer.ts';
import { authenticateGateway } from './authenticate-gateway.ts';

/** What every verb of the machine API gets as its first argument. */
export interface MachineCtx {
  /** The name the gateway gave itself. */
  readonly gateway: string;
  readonly requestId: string;
  readonly db: Database;
  readonly signer: Signer;
  readonly env: ConsoleEnv;
  readonly listener: Listener;
  /** The time of the request, epoch milliseconds. */
  readonly nowMs: number;
  /** The clock itself, for a verb that waits. */
  readonly now: () => number;
  /** Aborted when the gateway hangs up. */
  readonly signal: AbortSignal;
  readonly ifNoneMatch: string | null;
}

interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined> | undefined>;
}

type MachineVerb<Schema extends z.ZodType> = (ctx: MachineCtx, input: z.infer<Schema>) => Promise<unknown>;

/** Largest body, bytes: a thousand audit rows, or five seconds of telemetry of some thousand series. */
const MAX_BODY_BYTES = 32_000_000;

/**
 * One route of the machine API: gateway token → name → parse → verb → reply. Never takes a session: a signed-in person
 * is as much a stranger here as anybody. Refuses with `not_signed_in`, `invalid_input`, and what the verb throws.
 */
export const handleMachine = createMachineHandle(installation);

/** `handleMachine` over another installation, as tests have it. */
export function createMachineHandle(open: () => Promise<Installation>) {
  return <Schema extends z.ZodType>(schema: Schema, verb: MachineVerb<Schema>) =>
    (request: Request, route?: RouteContext): Promise<Response> =>
      respond(async (requestId) => {
        const { db, signer, env, listener, now } = await open();
        const nowMs = now();
        await authenticateGateway(db, request.headers.get('authorization'), nowMs);
        const gateway = readName(request);
        const parsed = schema.safeParse(await readInput(request, route));
        if (!parsed.success) {
          throw new ServerError('invalid_input', {
            publicMessage: parsed.error.issues[0]?.message ?? 'The input is not valid.',
            fields: fieldsOf(parsed.error),
          });
        }
        const ifNoneMatch = request.headers.get('if-none-match');
        const { signal } = request;
        return verb({ gateway, requestId, db, signer, env, listener, nowMs, now, signal, ifNoneMatch }, parsed.data);
      });
}

function readName(request: Request): string {
  const name = GatewayName.safeParse(new URL(request.url).searchParams.get('gateway'));
  if (name.success) return name.data;
  throw new ServerError('invalid_input', {
    publicMessage: 'The gateway does not name itself: ?gateway= takes lower-case letters, digits, ".", "_" and "-".',
    fields: { gateway: 'is not a gateway name' },
  });
}

async function readInput(request: Request, route: RouteContext | undefined): Promise<unknown> {
  // Next passes no parameters at all to a route whose path has none.
  if (request.method === 'GET') return (await route?.params) ?? {};
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES) {
    throw new ServerError('invalid_input', { publicMessage: 'The body is larger than 32 MB.' });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServerError('invalid_input', { publicMessage: 'The body is not JSON.', cause });
  }
}
