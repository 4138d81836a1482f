import { homePaths, type Settings } from './settings.ts';

/** What is known once ports are claimed and the database is up. */
export type Addresses = {
  readonly consolePort: number;
  readonly gatewayPort: number;
  /** As browsers reach it. */
  readonly consoleUrl: string;
  readonly gatewayUrl: string;
  readonly cosmosUrl: string;
  /** Where faults of the local Cosmos endpoint are switched; undefined when none is started. */
  readonly cosmosAdminUrl: string | undefined;
  readonly databaseUrl: string;
};

/**
 * Published by Microsoft for every local Cosmos endpoint; worth nothing elsewhere.
 * https://learn.microsoft.com/azure/cosmos-db/emulator#authentication
 */
const LOCAL_COSMOS_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

/** True when the demo users exist: the database is ours alone and nobody configured a real way to sign in. */
export function hasDemoUsers(settings: Settings): boolean {
  return settings.databaseUrl === undefined && settings.oidcIssuer === undefined;
}

/** The console's environment. OIDC variables pass through as they are. */
export function consoleEnvironment(settings: Settings, at: Addresses, sessionSecret: string): NodeJS.ProcessEnv {
  const paths = homePaths(settings.home);
  return {
    ...sharedEnvironment(settings),
    NODE_ENV: settings.isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: at.databaseUrl,
    NEXTAUTH_URL: at.consoleUrl,
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? sessionSecret,
    HABITAT_EMBEDDED: hasDemoUsers(settings) ? '1' : '0',
    HABITAT_SIGNING_KEY_FILE: process.env.HABITAT_SIGNING_KEY_FILE ?? paths.signingKey,
    HABITAT_GATEWAY_TOKEN_FILE: process.env.HABITAT_GATEWAY_TOKEN_FILE ?? paths.gatewayToken,
    HABITAT_GATEWAY_URL: process.env.HABITAT_GATEWAY_URL ?? at.gatewayUrl,
    ...(at.cosmosAdminUrl === undefined
      ? {}
      : { COSMOS_ADMIN_URL: at.cosmosAdminUrl, COSMOS_ADMIN_TOKEN_FILE: paths.cosmosAdminToken }),
  };
}

/** The local Cosmos endpoint's environment. It takes its ports from its command line. */
export function cosmosEnvironment(settings: Settings): NodeJS.ProcessEnv {
  return {
    ...sharedEnvironment(settings),
    NODE_ENV: 'production',
    COSMOS_ADMIN_TOKEN_FILE: homePaths(settings.home).cosmosAdminToken,
  };
}

/** The gateway's environment. It reaches the console on this machine, whatever address browsers use. */
export function gatewayEnvironment(settings: Settings, at: Addresses): NodeJS.ProcessEnv {
  const paths = homePaths(settings.home);
  const { DATABASE_URL: _database, NEXTAUTH_SECRET: _secret, ...shared } = sharedEnvironment(settings);
  return {
    ...shared,
    NODE_ENV: 'production',
    CONSOLE_URL: localUrl(settings.consoleHost, at.consolePort),
    GATEWAY_HOST: settings.gatewayHost,
    GATEWAY_PORT: String(at.gatewayPort),
    GATEWAY_WORKERS: process.env.GATEWAY_WORKERS ?? '2',
    GATEWAY_NAME: process.env.GATEWAY_NAME ?? 'gw-a',
    HABITAT_GATEWAY_TOKEN_FILE: process.env.HABITAT_GATEWAY_TOKEN_FILE ?? paths.gatewayToken,
    HABITAT_TRUST_FILE: process.env.HABITAT_TRUST_FILE ?? paths.trust,
    HABITAT_FLEET_SECRET_FILE: process.env.HABITAT_FLEET_SECRET_FILE ?? paths.fleetSecret,
    HABITAT_KEYS_DIR: process.env.HABITAT_KEYS_DIR ?? paths.dataKeys,
    GATEWAY_STATE_DIR: process.env.GATEWAY_STATE_DIR ?? paths.gatewayState,
    // Compiled code of the last start: a quarter less of the processor for the next one.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? paths.compileCache,
    COSMOS_ENDPOINT: at.cosmosUrl,
    ...(settings.cosmosEndpoint === undefined ? { COSMOS_KEY: LOCAL_COSMOS_KEY } : {}),
  };
}

/** Where we ourselves reach something that listens on `host`: a wildcard is answered on the loopback. */
export function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function sharedEnvironment(settings: Settings): NodeJS.ProcessEnv {
  // The admin port is known to the endpoint that has one, and to its console.
  const { COSMOS_ADMIN_URL: _url, COSMOS_ADMIN_TOKEN_FILE: _file, ...inherited } = process.env;
  return { ...inherited, HABITAT_HOME: settings.home, HABITAT_NAME: settings.name };
}
