import type { Connection } from './connection.ts';
import { type ConnectionList, createConnectionList, type TlsOptions } from './connection-list.ts';
import { exchange, type HttpReply, type HttpRequest, type NoReply } from './exchange.ts';
import { createStop, type Stop } from './stop.ts';

export interface EndpointsOptions {
  /** `http://host:port` of each gateway, or of a load balancer before them. */
  readonly origins: readonly string[];
  readonly tls: TlsOptions | undefined;
  readonly now: () => number;
  readonly random: () => number;
  /** Of one endpoint. */
  readonly maxConnections: number;
  readonly maxAgeMs: number;
  readonly connectTimeoutMs: number;
  /** How long an endpoint that cannot serve is left out at first. */
  readonly leaveOutMs: number;
}

export interface Sent {
  readonly outcome: HttpReply | NoReply;
  readonly origin: string;
}

/** Gateways that all serve the same. */
export interface Endpoints {
  /** Sends a request to one of them, if there is a choice to another one than `not`. Never rejects. */
  send(request: HttpRequest, stop: Stop, not?: string): Promise<Sent>;
  /** One that answers and cannot serve yet; its quick refusals would draw the calls of all to it. */
  leaveOut(origin: string): void;
  /** Those that are left out now. */
  leftOut(): readonly string[];
  close(): Promise<void>;
}

interface Endpoint {
  readonly origin: string;
  readonly connections: ConnectionList;
  inFlight: number;
  isOut: boolean;
  probe: NodeJS.Timeout | undefined;
}

const PROBE: HttpRequest = { method: 'GET', path: '/readyz', headers: {}, body: null };
const NOT_READY = 503;
const LONGEST_LEAVE_OUT_MS = 15_000;

/**
 * Of two that are drawn, the one with fewer requests in flight is used: nearly as even as asking all, without the herd
 * that runs to the one that looks idle. One that cannot serve is left out, and asked in the background whether it
 * answers again, so that no call pays for finding out.
 */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { random, now } = options;
  const all = options.origins.map((origin): Endpoint => {
    const connections = createConnectionList({ ...options, origin });
    return { origin, connections, inFlight: 0, isOut: false, probe: undefined };
  });
  /** Connections that brought a whole reply. */
  const proven = new WeakSet<Connection>();
  let isClosed = false;

  async function sendTo(endpoint: Endpoint, request: HttpRequest, stop: Stop): Promise<HttpReply | NoReply> {
    endpoint.inFlight += 1;
    try {
      const connection = await endpoint.connections.take(stop);
      if (connection === null) return { noReply: stop.reason ?? 'aborted', wasSent: false, cause: undefined };
      const { outcome, isSound } = await exchange(connection.client, request, stop);
      endpoint.connections.giveBack(connection, isSound);
      if (!('noReply' in outcome)) proven.add(connection);
      else if (cannotServe(outcome, proven.has(connection))) leaveOut(endpoint, options.leaveOutMs);
      return outcome;
    } finally {
      endpoint.inFlight -= 1;
    }
  }

  function leaveOut(endpoint: Endpoint, forMs: number): void {
    // With one endpoint there is nothing to choose.
    if (endpoint.probe !== undefined || all.length === 1 || isClosed) return;
    endpoint.isOut = true;
    const jittered = forMs * (0.5 + random() / 2);
    endpoint.probe = setTimeout(() => void askAgain(endpoint, forMs), jittered).unref();
  }

  async function askAgain(endpoint: Endpoint, waitedMs: number): Promise<void> {
    const stop = createStop({ deadlineMs: options.connectTimeoutMs, signal: undefined, now });
    const outcome = await sendTo(endpoint, PROBE, stop);
    stop.end();
    endpoint.probe = undefined;
    // Any other answer will do, a proxy's 404 as well: what it says about calls is for calls to find out.
    if ('noReply' in outcome || outcome.status === NOT_READY)
      leaveOut(endpoint, Math.min(waitedMs * 2, LONGEST_LEAVE_OUT_MS));
    else endpoint.isOut = false;
  }

  function choose(not: string | undefined): Endpoint {
    const isIn = all.filter(({ isOut }) => !isOut);
    // When all are left out, a call tries one all the same: it has nothing to lose.
    const fit = [isIn.filter(({ origin }) => origin !== not), isIn, all].find(({ length }) => length > 0) ?? all;
    const first = Math.floor(random() * fit.length);
    const second = (first + 1 + Math.floor(random() * (fit.length - 1))) % fit.length;
    const [one, other] = [fit[first], fit[second]];
    if (one === undefined || other === undefined) throw new TypeError('A client needs at least one endpoint.');
    return other.inFlight < one.inFlight ? other : one;
  }

  return {
    async send(request, stop, not) {
      const endpoint = choose(not);
      return { outcome: await sendTo(endpoint, request, stop), origin: endpoint.origin };
    },
    leaveOut(origin) {
      const endpoint = all.find((one) => one.origin === origin);
      if (endpoint !== undefined) leaveOut(endpoint, options.leaveOutMs);
    },
    leftOut: () => all.filter(({ isOut }) => isOut).map(({ origin }) => origin),
    async close() {
      isClosed = true;
      for (const { probe } of all) clearTimeout(probe);
      await Promise.all(all.map(({ connections }) => connections.close()));
    },
  };
}

/** An endpoint that refuses connections, or breaks new ones; one that breaks an old one may only have closed it. */
function cannotServe({ noReply }: NoReply, isProven: boolean): boolean {
  return noReply === 'unreachable' || (noReply === 'connection_lost' && !isProven);
}
