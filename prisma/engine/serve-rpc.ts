import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { checkConnection, createDatabase, EngineError } from './database-commands.ts';
import { type LoadedEngine, loadEngine, panicRegistry } from './load-engine.ts';

export type RpcSession = {
  readonly input: Readable;
  readonly output: Writable;
  readonly url: string | undefined;
  readonly schemaFiles: readonly string[];
};

const requestSchema = z.object({ id: z.number(), method: z.string(), params: z.unknown() });
const diffResultSchema = z.object({ exitCode: z.number(), stdout: z.string().nullish() });
const connectorErrorSchema = z.object({ code: z.string(), message: z.string() });

/** The names that differ between the native engine, which the CLI speaks to, and the WebAssembly one. */
const renamed: Readonly<Record<string, string>> = { getDatabaseVersion: 'version' };

/** Every error of the native engine carries this JSON-RPC code; the CLI reads the rest from `data`. */
const RPC_ERROR = 4466;

/** A panic of the engine, which ends the process with this status: its memory cannot be trusted any more. */
export const PANIC_STATUS = 101;

/**
 * Answers JSON-RPC requests, one line each, strictly one after another: they share one database session.
 * Resolves with the exit status when the input ends or the engine panics.
 */
export async function serveRpc(session: RpcSession): Promise<number> {
  let loading: Promise<LoadedEngine> | undefined;
  const load = () => {
    loading ??= open(session);
    return loading;
  };
  let printed = 0;
  for await (const line of createInterface({ input: session.input })) {
    const request = requestSchema.safeParse(parseJson(line));
    // The CLI also answers our `print` notifications; those have no method.
    if (!request.success) continue;
    const { id, method, params } = request.data;
    const send = (message: object) => session.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    try {
      const result = await answer(session, load, method, params);
      const text = method === 'diff' ? diffResultSchema.parse(result).stdout : undefined;
      if (typeof text === 'string') send({ id: ++printed, method: 'print', params: { content: text } });
      send({ id, result: result ?? null });
    } catch (error) {
      const failure = describeFailure(error, await loading?.catch(() => undefined));
      send({
        id,
        error: { code: RPC_ERROR, message: 'An error happened. Check the data field for details.', data: failure },
      });
      if (failure.is_panic) return PANIC_STATUS;
    }
  }
  return 0;
}

async function open({ url, schemaFiles }: RpcSession): Promise<LoadedEngine> {
  // The engine reports these failures without their codes, on which the CLI decides what to offer.
  if (url !== undefined) await checkConnection(url);
  return loadEngine(url, schemaFiles);
}

async function answer(
  session: RpcSession,
  load: () => Promise<LoadedEngine>,
  method: string,
  params: unknown,
): Promise<unknown> {
  if (method === 'createDatabase') {
    if (session.url === undefined) throw new Error('No database URL: set DATABASE_URL.');
    return { databaseName: await createDatabase(session.url) };
  }
  const { engine } = await load();
  const call: unknown = Reflect.get(engine, renamed[method] ?? method);
  if (typeof call !== 'function') throw new Error(`The schema engine has no method ${method}.`);
  return Reflect.apply(call, engine, [params]);
}

function describeFailure(error: unknown, loaded: LoadedEngine | undefined) {
  const isPanic = error instanceof WebAssembly.RuntimeError;
  const original = originalError(error, loaded);
  const message = isPanic ? panicRegistry.message : original instanceof Error ? original.message : String(original);
  const known = connectorErrorSchema.safeParse(original);
  const code = known.success && /^P\d{4}$/.test(known.data.code) ? { error_code: known.data.code } : {};
  return { is_panic: isPanic, message, error: { message, backtrace: null }, meta: { full_error: message }, ...code };
}

/** An error of the driver that Prisma has no kind for comes through as a number; the registry knows the error. */
function originalError(error: unknown, loaded: LoadedEngine | undefined): unknown {
  if (error instanceof EngineError || !(error instanceof Error)) return error;
  const id = /External error id#(\d+)/.exec(error.message)?.[1];
  const registered = id === undefined ? undefined : loaded?.consumeError(Number(id));
  const wrapped = z.object({ error: z.unknown() }).safeParse(registered);
  return wrapped.success ? wrapped.data.error : error;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
