import { join } from 'node:path';
import { LOCAL_COSMOS_REGIONS } from '#gateway/contract/local-cosmos.ts';
import { applyMigrations, MigrationError } from '#server/db/apply-migrations.ts';
import { awaitHttp } from './await-http.ts';
import { ensureConsoleBuild, nextCommand } from './build-console.ts';
import { checkDatabase } from './check-database.ts';
import { lastLogLine, runChild } from './child.ts';
import { claimPort } from './claim-port.ts';
import { type Addresses, consoleEnvironment, cosmosEnvironment, gatewayEnvironment, localUrl } from './environment.ts';
import type { Fleet } from './fleet.ts';
import { ensureClient } from './generate-client.ts';
import { LaunchError } from './launch-error.ts';
import { rememberPorts } from './remember-ports.ts';
import { type RunFile, writeRunFile } from './run-file.ts';
import { ensureSecrets } from './secrets.ts';
import { logFileOf, postgresPart, servicePart } from './services.ts';
import { homePaths, type Settings } from './settings.ts';

export type Launch = {
  readonly settings: Settings;
  readonly fleet: Fleet;
  readonly say: (line: string) => void;
};

export type Launched = { readonly addresses: Addresses; readonly writeRunFile: () => void };

const READY_TIMEOUT_MS = 60_000;

/**
 * Brings up everything that is not configured, in the order of dependence, and resolves when a request would be
 * served. Ports are claimed first, so that a taken one is told before anything was started.
 */
export async function launch({ settings, fleet, say }: Launch): Promise<Launched> {
  const ports = await claimPorts(settings);
  const { sessionSecret } = await ensureSecrets(settings.home);
  await ensureClient(settings.root);
  fleet.refuseWhenStopping();
  const database = await bringUpDatabase({ settings, fleet, say });
  const at = addressesOf(settings, ports, database.url);
  const consoleEnv = consoleEnvironment(settings, at, sessionSecret);
  if (settings.cosmosEndpoint === undefined) await fleet.add(cosmosPart(settings, fleet, ports));
  if (!settings.isDevelopment) {
    await ensureConsoleBuild({
      root: settings.root,
      logFile: logFileOf(settings, 'build'),
      env: consoleEnv,
      say,
      onStart: (build) => fleet.hold(build),
      refuseWhenStopping: () => fleet.refuseWhenStopping(),
    });
  }
  fleet.refuseWhenStopping();
  await seed(settings, fleet, consoleEnv);
  // Parts stop in the reverse order: the console first.
  await fleet.add(gatewayPart(settings, fleet, at));
  await fleet.add(consolePart(settings, fleet, at, consoleEnv));
  await awaitReadiness({ settings, fleet, say }, at);
  const write = () =>
    writeRunFile(settings.home, describeRun(settings, at, fleet, { ...ports, postgres: database.port() }));
  write();
  return { addresses: at, writeRunFile: write };
}

/** 0 is a port that is not needed. */
type Ports = {
  readonly console: number;
  readonly gateway: number;
  readonly cosmos: number;
  readonly cosmosWest: number;
  readonly cosmosAdmin: number;
};

const COSMOS_HOST = '127.0.0.1';

async function claimPorts({ ports, consoleHost, gatewayHost, cosmosEndpoint, home }: Settings): Promise<Ports> {
  const console = await claimPort('CONSOLE_PORT', ports.console, consoleHost);
  const gateway = await claimPort('GATEWAY_PORT', ports.gateway, gatewayHost);
  if (cosmosEndpoint !== undefined) return { console, gateway, cosmos: 0, cosmosWest: 0, cosmosAdmin: 0 };
  const cosmos = await claimPort('COSMOS_PORT', ports.cosmos, COSMOS_HOST);
  const names = ['cosmosWest', 'cosmosAdmin'] as const;
  const others = await rememberPorts(homePaths(home).cosmosPorts, names, [console, gateway, cosmos]);
  return { console, gateway, cosmos, ...others };
}

async function bringUpDatabase({ settings, fleet, say }: Launch) {
  let url = settings.databaseUrl ?? '';
  let port = 0;
  if (settings.databaseUrl !== undefined) await checkDatabase(settings.databaseUrl);
  else {
    const remember = (startedUrl: string, startedPort: number) => {
      url = startedUrl;
      port = startedPort;
    };
    await fleet.add(postgresPart(settings, remember));
  }
  try {
    const applied = await applyMigrations(url);
    if (applied.length > 0)
      say(`Applied ${applied.length} migration${applied.length === 1 ? '' : 's'} to the database.`);
  } catch (cause) {
    if (cause instanceof MigrationError) throw new LaunchError(cause.message, { cause });
    throw cause;
  }
  return { url, port: () => port };
}

function addressesOf(settings: Settings, ports: Ports, databaseUrl: string): Addresses {
  return {
    consolePort: ports.console,
    gatewayPort: ports.gateway,
    consoleUrl: settings.consoleUrl ?? localUrl(settings.consoleHost, ports.console),
    gatewayUrl: localUrl(settings.gatewayHost, ports.gateway),
    cosmosUrl: settings.cosmosEndpoint ?? localUrl(COSMOS_HOST, ports.cosmos),
    cosmosAdminUrl: ports.cosmosAdmin === 0 ? undefined : localUrl(COSMOS_HOST, ports.cosmosAdmin),
    databaseUrl,
  };
}

/** Two regions, so that a gateway has somewhere to go when one of them is made to fail. The first takes the writes. */
function cosmosPart(settings: Settings, fleet: Fleet, ports: Ports) {
  const [first, second] = LOCAL_COSMOS_REGIONS;
  const regions = `${first}=${ports.cosmos},${second}=${ports.cosmosWest}`;
  const folder = homePaths(settings.home).cosmos;
  return servicePart(settings, fleet, {
    name: 'cosmos',
    args: [
      'gateway/emulator/main.ts',
      ...['--regions', regions],
      ...['--admin-port', String(ports.cosmosAdmin)],
      ...['--dir', folder],
    ],
    env: cosmosEnvironment(settings),
    probeUrl: localUrl(COSMOS_HOST, ports.cosmos),
    graceMs: 10_000,
  });
}

function gatewayPart(settings: Settings, fleet: Fleet, at: Addresses) {
  return servicePart(settings, fleet, {
    name: 'gateway',
    // Code in large pages costs a request about a tenth less processor time; where there are none, nothing changes.
    args: ['--use-largepages=silent', 'gateway/main.ts'],
    env: gatewayEnvironment(settings, at),
    probeUrl: `${at.gatewayUrl}/healthz`,
    // It finishes the requests in progress and ships what is in its spool.
    graceMs: 20_000,
  });
}

function consolePart(settings: Settings, fleet: Fleet, at: Addresses, env: NodeJS.ProcessEnv) {
  const command = settings.isDevelopment ? 'dev' : 'start';
  return servicePart(settings, fleet, {
    name: 'console',
    args: [nextCommand(settings.root), command, '--hostname', settings.consoleHost, '--port', String(at.consolePort)],
    env,
    probeUrl: `${localUrl(settings.consoleHost, at.consolePort)}/healthz`,
    // Its requests take milliseconds; live streams and the gateways' long polls would hold it for ever.
    graceMs: 2_000,
  });
}

/** Fills an empty database with the example. It runs with the console's environment, as the console's own code. */
async function seed(settings: Settings, fleet: Fleet, env: NodeJS.ProcessEnv): Promise<void> {
  const logFile = logFileOf(settings, 'seed');
  const args = ['--conditions=react-server', join('server', 'seed', 'main.ts')];
  const isGood = await runChild({ name: 'seed', args, cwd: settings.root, env, logFile }, (child) => fleet.hold(child));
  fleet.refuseWhenStopping();
  if (!isGood) throw new LaunchError(`The example could not be written: ${lastLogLine(logFile)} (${logFile})`);
}

async function awaitReadiness({ settings, fleet, say }: Launch, at: Addresses): Promise<void> {
  const accept = (status: number) => status === 200;
  const isReady = await awaitHttp(`${at.gatewayUrl}/readyz`, {
    accept,
    timeoutMs: READY_TIMEOUT_MS,
    exited: fleet.stopping,
  });
  fleet.refuseWhenStopping();
  if (!isReady)
    say(
      `The gateway runs but does not serve yet: ${at.gatewayUrl}/readyz says what is missing (${logFileOf(settings, 'gateway')}).`,
    );
}

function describeRun(
  settings: Settings,
  at: Addresses,
  fleet: Fleet,
  ports: Ports & { readonly postgres: number },
): RunFile {
  const known = Object.entries(ports).filter(([, port]) => port !== 0);
  return {
    name: settings.name,
    consoleUrl: at.consoleUrl,
    gatewayUrl: at.gatewayUrl,
    cosmosUrl: at.cosmosUrl,
    ports: Object.fromEntries(known),
    pids: { launcher: process.pid, ...fleet.pids() },
  };
}
