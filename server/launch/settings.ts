import { join, resolve } from 'node:path';
import { LaunchError } from './launch-error.ts';

/** What `npm start` is told by its environment, parsed once. */
export type Settings = {
  /** The checkout. */
  readonly root: string;
  /** Data, secrets, logs. Absolute. */
  readonly home: string;
  readonly name: string;
  readonly isDevelopment: boolean;
  /** 0 asks for a free one. */
  readonly ports: { readonly console: number; readonly gateway: number; readonly cosmos: number };
  readonly consoleHost: string;
  readonly gatewayHost: string;
  /** Address for browsers when it differs from the one we listen on. */
  readonly consoleUrl: string | undefined;
  /** Undefined: an embedded PostgreSQL is started. */
  readonly databaseUrl: string | undefined;
  /** Endpoint of an account; its key reaches the gateway as it is. Undefined: the local Cosmos endpoint is started. */
  readonly cosmosEndpoint: string | undefined;
  readonly oidcIssuer: string | undefined;
};

type Source = Readonly<Record<string, string | undefined>>;

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Throws a LaunchError naming the first variable that is wrong. */
export function readSettings(source: Source, args: readonly string[]): Settings {
  const unknown = args.find((argument) => argument !== '--dev');
  if (unknown !== undefined) throw new LaunchError(`${unknown} is no option of npm start; there is only --dev.`);
  return {
    root: ROOT,
    home: resolve(ROOT, text(source, 'HABITAT_HOME') ?? '.habitat'),
    name: text(source, 'HABITAT_NAME') ?? 'LOCAL',
    isDevelopment: args.includes('--dev'),
    ports: {
      console: port(source, 'CONSOLE_PORT', 3000),
      gateway: port(source, 'GATEWAY_PORT', 4000),
      cosmos: port(source, 'COSMOS_PORT', 8081),
    },
    consoleHost: text(source, 'CONSOLE_HOST') ?? '127.0.0.1',
    gatewayHost: text(source, 'GATEWAY_HOST') ?? '127.0.0.1',
    consoleUrl: text(source, 'NEXTAUTH_URL')?.replace(/\/+$/, ''),
    databaseUrl: text(source, 'DATABASE_URL'),
    cosmosEndpoint: cosmosEndpoint(source),
    oidcIssuer: oidcIssuer(source),
  };
}

/** Where things lie under HABITAT_HOME. */
export function homePaths(home: string) {
  return {
    logs: join(home, 'logs'),
    postgres: join(home, 'postgres'),
    cosmos: join(home, 'cosmos'),
    cosmosPorts: join(home, 'cosmos-ports.json'),
    cosmosAdminToken: join(home, 'cosmos-admin-token'),
    gatewayState: join(home, 'gateway'),
    compileCache: join(home, 'compile-cache'),
    dataKeys: join(home, 'keys'),
    lock: join(home, 'launcher.lock'),
    runFile: join(home, 'run.json'),
    demoKey: join(home, 'demo-key'),
    sessionSecret: join(home, 'nextauth-secret'),
    fleetSecret: join(home, 'fleet-secret'),
    gatewayToken: join(home, 'gateway-token'),
    signingKey: join(home, 'signing-key.json'),
    trust: join(home, 'trust.json'),
  } as const;
}

function text(source: Source, name: string): string | undefined {
  const value = source[name]?.trim();
  return value === '' ? undefined : value;
}

function port(source: Source, name: string, fallback: number): number {
  const value = text(source, name);
  if (value === undefined) return fallback;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new LaunchError(`${name} is "${value}": it must be a port number from 1 to 65535, or 0 for a free one.`);
}

/** Ways to say who calls the account; one of them goes with COSMOS_ENDPOINT. */
const COSMOS_CREDENTIALS = ['COSMOS_KEY', 'COSMOS_KEY_FILE', 'COSMOS_AUTH'] as const;

function cosmosEndpoint(source: Source): string | undefined {
  const endpoint = text(source, 'COSMOS_ENDPOINT');
  const credential = COSMOS_CREDENTIALS.find((name) => text(source, name) !== undefined);
  if (endpoint === undefined) {
    if (credential === undefined) return undefined;
    throw new LaunchError(`${credential} is set but COSMOS_ENDPOINT is not: set both or neither.`);
  }
  if (credential === undefined) {
    throw new LaunchError(
      'COSMOS_ENDPOINT is set but COSMOS_KEY is not: set COSMOS_KEY, COSMOS_KEY_FILE or COSMOS_AUTH=entra.',
    );
  }
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new LaunchError(`COSMOS_ENDPOINT is "${endpoint}": it must be an http or https address.`);
  }
  return endpoint;
}

function oidcIssuer(source: Source): string | undefined {
  const issuer = text(source, 'OIDC_ISSUER');
  if (issuer === undefined) return undefined;
  const missing = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].find((name) => text(source, name) === undefined);
  if (missing !== undefined) throw new LaunchError(`OIDC_ISSUER is set but ${missing} is not: set all three or none.`);
  return issuer;
}
