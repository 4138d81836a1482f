import { type Container, CosmosClient } from '@azure/cosmos';
import type { SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import { openSigning, type Signing, type StoreCredential } from './azure/credential.ts';
import { ensureContainer, isLocalEndpoint } from './ensure-container.ts';
import { type Fault, faultOf, isContainerMissing } from './errors.ts';
import { type AttemptScope, createAttemptScopes } from './http/attempt-scope.ts';
import { BrokenAttempt } from './http/broken-attempt.ts';
import { createFreeList, type FreeList } from './http/free-list.ts';
import { createHttpClient, type HttpClient } from './http/http-client.ts';
import { CONTAINER, DATABASE } from './layout/container.ts';
import { createSessionTokens, type SessionTokens } from './session-tokens.ts';

export interface AccountOptions {
  readonly endpoint: string;
  readonly credential: StoreCredential;
  readonly now: () => number;
  readonly random: () => number;
  readonly maxConnections: number;
}

export interface Succeeded<T> {
  readonly kind: 'ok';
  readonly value: T;
  /** The reply's session token in the client's form. */
  readonly session: readonly SessionToken[];
}

export interface Failed {
  readonly kind: 'fault';
  readonly fault: Fault;
}

export interface AttemptLimits {
  /** The partition that the attempt is about. */
  readonly pk: string;
  readonly timeoutMs: number;
  /** Called when a byte of the attempt may have left. */
  readonly onSent?: () => void;
}

type Run<T> = (container: Container, signal: AbortSignal) => Promise<T>;

/** One regional endpoint of a Cosmos account. */
export interface Account {
  readonly tokens: SessionTokens;
  readonly connections: FreeList;
  /** Runs one attempt under the call's meter and cuts it off after `timeoutMs`. */
  attempt<T>(call: Pick<StoreCall, 'meter'>, limits: AttemptLimits, run: Run<T>): Promise<Succeeded<T> | Failed>;
  close(): Promise<void>;
}

const CONNECTIONS = {
  maxAgeMs: 10 * 60 * 1_000,
  baseConnections: 4,
  trimEveryMs: 5_000,
  connectTimeoutMs: 2_000,
};

/**
 * The SDK against one endpoint, with everything it does badly switched off: endpoint discovery, its retries and its
 * connections. Against the local endpoint the container is made when missing, before the first attempt.
 */
export function createAccount(options: AccountOptions): Account {
  const url = new URL(options.endpoint);
  const connections = createFreeList({ ...options, ...CONNECTIONS, origin: url.origin });
  const scopes = createAttemptScopes();
  const tokens = createSessionTokens({ account: url.host, container: CONTAINER });
  const httpClient = createHttpClient(connections, scopes);
  const signing = openSigning(options.credential, { ...options, scopes });
  const open = () => openClient(options.endpoint, { signing, httpClient });
  let { client, container } = open();
  const readiness = createReadiness(() => client, isLocalEndpoint(url.origin));
  /** A container that is gone takes its session tokens along, ours and those that the SDK keeps: no successor reaches them. */
  const startAnew = () => {
    readiness.doubt();
    tokens.forget();
    client.dispose();
    ({ client, container } = open());
  };

  return {
    tokens,
    connections,
    async attempt(call, limits, run) {
      const abort = new AbortController();
      const meter: AttemptScope['meter'] = {
        add: (attempt) => call.meter.add({ ...attempt, region: url.host, hedge: false, overtaken: false }),
      };
      const scope: AttemptScope = {
        ...{ meter, signal: abort.signal },
        ...{ wasLent: false, wasSent: false, sessionToken: null },
      };
      const timer = setTimeout(() => abort.abort(), limits.timeoutMs);
      try {
        if (!readiness.isReady()) await readiness.make(abort.signal);
        const value = await scopes.run(scope, run, container, abort.signal);
        const session = scope.sessionToken === null ? [] : tokens.note(limits.pk, scope.sessionToken);
        return { kind: 'ok', value, session };
      } catch (error) {
        const fault = faultOf(error, scope.wasSent);
        if (isContainerMissing(fault)) startAnew();
        return { kind: 'fault', fault };
      } finally {
        clearTimeout(timer);
        if (scope.wasSent) limits.onSent?.();
      }
    },
    async close() {
      client.dispose();
      await connections.close();
    },
  };
}

function openClient(
  endpoint: string,
  { signing, httpClient }: { readonly signing: Signing; readonly httpClient: HttpClient },
) {
  const client = new CosmosClient({
    endpoint,
    ...signing,
    httpClient,
    connectionPolicy: {
      enableEndpointDiscovery: false,
      enableBackgroundEndpointRefreshing: false,
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
  });
  return { client, container: client.database(DATABASE).container(CONTAINER) };
}

/** Whether the container is known to be there; only a local one is ever made. */
function createReadiness(client: () => CosmosClient, isLocal: boolean) {
  let isReady = !isLocal;
  let making: Promise<void> | null = null;
  return {
    isReady: () => isReady,
    doubt: () => {
      isReady = !isLocal;
    },
    make(signal: AbortSignal): Promise<void> {
      making ??= ensureContainer(client())
        .then(() => {
          isReady = true;
        })
        .finally(() => {
          making = null;
        });
      return Promise.race([making, timedOut(signal)]);
    },
  };
}

/** Rejects when the signal aborts; never resolves. */
function timedOut(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(new BrokenAttempt('The container could not be checked in time.', false));
    signal.addEventListener('abort', give, { once: true });
  });
}
