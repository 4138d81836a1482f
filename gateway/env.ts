import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { GatewayName } from '#gateway/contract/machine-api.ts';
import { fleetKeysFrom } from './sealed/fleet-keys.ts';

/** Everything the gateway takes from its environment, parsed once; plain data, so that threads can be given it. */
export interface GatewayEnv {
  readonly consoleUrl: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly name: string;
  readonly token: string;
  /** JWKS of the keys that may sign releases and manifests. */
  readonly trust: { readonly keys: readonly Record<string, unknown>[] };
  readonly fleetSecret: string;
  readonly keysDir: string;
  readonly cosmosEndpoint: string;
  readonly cosmosKey: string;
  readonly stateDir: string;
  /** Exit when standard input ends: the launcher holds the other end. */
  readonly parentPipe: boolean;
}

/** One sentence for whoever started the gateway. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/** Key of every local Cosmos endpoint, published by Microsoft with its emulator; worth nothing elsewhere. */
const LOCAL_COSMOS_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const LOCAL_COSMOS = 'http://127.0.0.1:8081';
const MAX_WORKERS = 64;

type Source = Readonly<Record<string, string | undefined>>;

/** Throws `EnvError` with one sentence that names the variable. */
export function readEnv(source: Source): GatewayEnv {
  const home = resolve(source.HABITAT_HOME ?? '.habitat');
  const file = (name: string, fallback: string) => readSecretFile(name, source[name] ?? join(home, fallback));
  const cosmosEndpoint = readUrl(source, 'COSMOS_ENDPOINT', LOCAL_COSMOS);
  return {
    consoleUrl: readUrl(source, 'CONSOLE_URL', 'http://127.0.0.1:3000'),
    host: source.GATEWAY_HOST ?? '127.0.0.1',
    port: readNumber(source, 'GATEWAY_PORT', { fallback: 4_000, min: 0, max: 65_535 }),
    workers: readNumber(source, 'GATEWAY_WORKERS', { fallback: 2, min: 1, max: MAX_WORKERS }),
    name: readName(source.GATEWAY_NAME ?? 'gw-a'),
    token: file('HABITAT_GATEWAY_TOKEN_FILE', 'gateway-token'),
    trust: readTrust(file('HABITAT_TRUST_FILE', 'trust.json')),
    fleetSecret: readFleetSecret(file('HABITAT_FLEET_SECRET_FILE', 'fleet-secret')),
    keysDir: resolve(source.HABITAT_KEYS_DIR ?? join(home, 'keys')),
    cosmosEndpoint,
    cosmosKey: readCosmosKey(source, cosmosEndpoint),
    stateDir: resolve(source.GATEWAY_STATE_DIR ?? join(home, 'gateway')),
    parentPipe: source.HABITAT_PARENT_PIPE === '1',
  };
}

function readUrl(source: Source, name: string, fallback: string): string {
  const text = source[name] ?? fallback;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new EnvError(`${name} is "${text}", which is no http or https URL.`);
}

function readNumber(source: Source, name: string, bounds: { fallback: number; min: number; max: number }): number {
  const text = source[name] ?? String(bounds.fallback);
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  throw new EnvError(`${name} is "${text}"; it is a whole number from ${bounds.min} to ${bounds.max}.`);
}

function readName(text: string): string {
  const name = GatewayName.safeParse(text);
  if (name.success) return name.data;
  throw new EnvError(`GATEWAY_NAME is "${text}"; it has lower-case letters, digits, ".", "_" and "-", at most 63.`);
}

function readSecretFile(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it is not readable';
    throw new EnvError(`${name}: the file ${path} cannot be read (${reason}).`);
  }
  if (text === '') throw new EnvError(`${name}: the file ${path} is empty.`);
  return text;
}

const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())).min(1) });

function readTrust(text: string): GatewayEnv['trust'] {
  try {
    return Jwks.parse(JSON.parse(text));
  } catch {
    throw new EnvError('HABITAT_TRUST_FILE: the file is no JSON Web Key Set with at least one key.');
  }
}

function readFleetSecret(text: string): string {
  const parsed = fleetKeysFrom(text);
  if ('keys' in parsed) return text;
  throw new EnvError(`HABITAT_FLEET_SECRET_FILE: the file ${parsed.problem}.`);
}

function readCosmosKey(source: Source, endpoint: string): string {
  if (source.COSMOS_KEY !== undefined && source.COSMOS_KEY !== '') return source.COSMOS_KEY;
  if (source.COSMOS_ENDPOINT === undefined || endpoint === LOCAL_COSMOS) return LOCAL_COSMOS_KEY;
  throw new EnvError('COSMOS_ENDPOINT is set but COSMOS_KEY is not.');
}
