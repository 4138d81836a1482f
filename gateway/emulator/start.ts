import { createSecretKey } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConsistencyLevel } from '#gateway/contract/local-cosmos.ts';
import { openCatalog } from './catalog/catalog.ts';
import { type Endpoint, nowSeconds } from './endpoint.ts';
import { EMULATOR_KEY } from './http/authenticate.ts';
import { createEndpointServer } from './http/serve.ts';
import { startCheckpointer } from './store/checkpointer.ts';
import { startGroupCommit } from './store/group-commit.ts';
import { openStore } from './store/open-store.ts';
import { MAX_PURGED, purgeExpired } from './store/purge.ts';

export interface EmulatorOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Folder of the data; made when missing. One endpoint at a time. */
  readonly dir: string;
  /** Base64 master key; Azure's well-known emulator key by default. */
  readonly key?: string;
  readonly host?: string;
  readonly consistency?: ConsistencyLevel;
  /** Epoch milliseconds; decides time to live, `_ts` and the age of signatures. */
  readonly nowMs?: () => number;
  /** The disk refused a flush: nothing acknowledged from here on would be durable. */
  readonly onFatal?: (error: Error) => void;
  readonly onUnexpected?: (error: unknown) => void;
}

export interface RunningEmulator {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  /** Finishes what is in flight, flushes and releases the folder. */
  close(): Promise<void>;
}

const PURGE_EVERY_MS = 30_000;

/** Starts a Cosmos-compatible endpoint over the folder. Rejects with one clear sentence when folder or port fail. */
export async function startEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  const key = options.key ?? EMULATOR_KEY;
  const onFatal = options.onFatal ?? endProcess;
  const store = openStore(options.dir);
  const checkpointer = startCheckpointer(store, { onFatal });
  const commit = startGroupCommit(store, { onFatal, onFlushed: checkpointer.noteWrites });
  const endpoint: Endpoint = {
    store,
    catalog: openCatalog(store),
    commit,
    key: createSecretKey(Buffer.from(key, 'base64')),
    consistency: options.consistency ?? 'BoundedStaleness',
    keepsExpired: false,
    nowMs: options.nowMs ?? Date.now,
  };
  const onUnexpected = options.onUnexpected ?? reportToStderr;
  const purging = setInterval(() => void purge(endpoint).catch(onUnexpected), PURGE_EVERY_MS);
  purging.unref();
  const server = createEndpointServer(endpoint, onUnexpected);
  const stop = async (): Promise<void> => {
    clearInterval(purging);
    await commit.close();
    await checkpointer.close();
    store.close();
  };
  try {
    const port = await listen(server, options.port, options.host ?? '127.0.0.1');
    return {
      url: `http://${options.host ?? '127.0.0.1'}:${port}`,
      port,
      key,
      async close() {
        await closeServer(server);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function purge(endpoint: Endpoint): Promise<void> {
  const { store, catalog, commit } = endpoint;
  let purged: number;
  do purged = await commit.submit(() => purgeExpired(store, catalog, nowSeconds(endpoint)));
  while (purged >= MAX_PURGED);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(new Error(taken ? `Port ${port} is taken.` : `Port ${port} cannot be used: ${cause.message}.`, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Idle connections end at once, busy ones after their reply, and after five seconds whatever is left. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that turns idle after close() would otherwise live on until its keep-alive ends.
    const sweeping = setInterval(() => server.closeIdleConnections(), 20);
    const giveUp = setTimeout(() => server.closeAllConnections(), 5_000);
    server.close(() => {
      clearInterval(sweeping);
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function endProcess(error: Error): void {
  process.stderr.write(`The disk refused a write: ${error.message}. The Cosmos endpoint stops.\n`);
  process.exit(1);
}

function reportToStderr(error: unknown): void {
  process.stderr.write(
    `The Cosmos endpoint failed on a request: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
}
