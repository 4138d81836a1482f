import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Budget, Failover, type LocalCosmosState, NewFault } from '#gateway/contract/local-cosmos.ts';

/** A real HTTP server in the place of the local endpoint's admin port. It parses with the contract's own schemas. */
export interface CosmosAdminServer {
  readonly url: string;
  readonly tokenFile: string;
  /** What it plays; a test may read and change it. */
  state: LocalCosmosState;
  /** Answers instead of everything else: a status and a body. */
  instead: { readonly status: number; readonly body: string } | 'cut' | undefined;
  close(): Promise<void>;
}

const TOKEN = 'token-of-the-admin-port';

/** Starts it with one account of two regions and no fault; the token file lies in `folder`. */
export async function startCosmosAdmin(folder: string): Promise<CosmosAdminServer> {
  const tokenFile = join(folder, 'cosmos-admin-token');
  writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  const server = createServer((request, response) => void answer(admin, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const admin: CosmosAdminServer = {
    url: `http://127.0.0.1:${port}`,
    tokenFile,
    state: freshState(),
    instead: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return admin;
}

/** One account, East takes its writes, no fault is on. */
export function freshState(): LocalCosmosState {
  const region = (name: string, port: number) => ({
    name,
    url: `http://127.0.0.1:${port}`,
    requests: 1_204,
    throttled: 0,
  });
  return {
    accounts: [
      {
        name: 'habitat-local',
        consistency: 'BoundedStaleness',
        writeRegion: 'East',
        partitionRuPerSecond: 10_000,
        regions: [region('East', 8_081), region('West', 8_082)],
      },
    ],
    faults: [],
  };
}

async function answer(admin: CosmosAdminServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { instead } = admin;
  if (instead === 'cut') request.socket.destroy();
  else if (instead !== undefined) response.writeHead(instead.status).end(instead.body);
  else if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    response.writeHead(401).end(JSON.stringify({ message: 'The token is wrong.' }));
  } else {
    const reply = act(admin, `${request.method} ${request.url}`, await text(request));
    response.writeHead(reply === undefined ? 204 : 200).end(reply === undefined ? undefined : JSON.stringify(reply));
  }
}

/** What the call answers; undefined is 204. A call that it does not know, or cannot parse, ends the test. */
function act(admin: CosmosAdminServer, call: string, body: string): object | undefined {
  if (call === 'GET /state') return admin.state;
  const { faults } = admin.state;
  if (call === 'POST /faults') {
    const fault = { ...NewFault.parse(JSON.parse(body)), id: `f${faults.length + 1}`, sinceMs: 1, met: 0 };
    admin.state = { ...admin.state, faults: [...faults, fault] };
    return fault;
  }
  if (call.startsWith('DELETE /faults')) {
    const id = call.split('/')[2];
    admin.state = { ...admin.state, faults: id === undefined ? [] : faults.filter((fault) => fault.id !== id) };
    return undefined;
  }
  if (call === 'POST /failover') changeAccount(admin, { writeRegion: Failover.parse(JSON.parse(body)).region });
  else if (call === 'POST /budget') changeAccount(admin, Budget.omit({ account: true }).parse(JSON.parse(body)));
  else throw new Error(`the admin API has no ${call}`);
  return undefined;
}

type Account = LocalCosmosState['accounts'][number];

function changeAccount(
  admin: CosmosAdminServer,
  change: Partial<Pick<Account, 'writeRegion' | 'partitionRuPerSecond'>>,
): void {
  const accounts = admin.state.accounts.map((account) => ({ ...account, ...change }));
  admin.state = { ...admin.state, accounts };
}
