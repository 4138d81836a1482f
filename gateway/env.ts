import { join, resolve } from 'node:path';
import { z } from 'zod';
import { GatewayName } from '#gateway/contract/machine-api.ts';
import type { KeysEnv } from './content/keys/open-wrapping.ts';
import { type CosmosEnv, readCosmosEnv } from './cosmos-env.ts';
import { EnvError, type EnvSource, readSecretFile, readUrl } from './env-source.ts';
import { readKeysEnv } from './keys-env.ts';
import { fleetKeysFrom } from './sealed/fleet-keys.ts';

/** Everything the gateway takes from its environment, parsed once; plain data, so that threads can be given it. */
export interface GatewayEnv extends KeysEnv {
  readonly consoleUrl: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  /** Memory of each worker's cache, megabytes; 0 for no cache. */
  readonly cacheMb: number;
  readonly name: string;
  readonly token: string;
  /** JWKS of the keys that may sign releases and manifests. */
  readonly trust: { readonly keys: readonly Record<string, unknown>[] };
  readonly fleetSecret: string;
  readonly cosmos: CosmosEnv;
  readonly stateDir: string;
  /** Exit when standard input ends: the launcher holds the other end. */
  readonly parentPipe: boolean;
}

const MAX_WORKERS = 64;

/** Throws `EnvError` with one sentence that names the variable. */
export function readEnv(source: EnvSource): GatewayEnv {
  const home = resolve(source.HABITAT_HOME ?? '.habitat');
  const file = (name: string, fallback: string) => readSecretFile(name, source[name] ?? join(home, fallback));
  return {
    consoleUrl: readUrl(source, 'CONSOLE_URL', 'http://127.0.0.1:3000'),
    host: source.GATEWAY_HOST ?? '127.0.0.1',
    port: readNumber(source, 'GATEWAY_PORT', { fallback: 4_000, min: 0, max: 65_535 }),
    workers: readNumber(source, 'GATEWAY_WORKERS', { fallback: 2, min: 1, max: MAX_WORKERS }),
    cacheMb: readNumber(source, 'GATEWAY_CACHE_MB', { fallback: 64, min: 0, max: 2_048 }),
    name: readName(source.GATEWAY_NAME ?? 'gw-a'),
    token: file('HABITAT_GATEWAY_TOKEN_FILE', 'gateway-token'),
    trust: readTrust(file('HABITAT_TRUST_FILE', 'trust.json')),
    fleetSecret: readFleetSecret(file('HABITAT_FLEET_SECRET_FILE', 'fleet-secret')),
    ...readKeysEnv(source),
    cosmos: readCosmosEnv(source),
    stateDir: resolve(source.GATEWAY_STATE_DIR ?? join(home, 'gateway')),
    parentPipe: source.HABITAT_PARENT_PIPE === '1',
  };
}

function readNumber(source: EnvSource, name: string, bounds: { fallback: number; min: number; max: number }): number {
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
