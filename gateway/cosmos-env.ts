import { EnvError, type EnvSource, readSecretFile, readUrl } from './env-source.ts';
import type { StoreCredential } from './store/azure/credential.ts';
import { isLocalEndpoint } from './store/ensure-container.ts';
import type { PointLane } from './store/points/point-reads.ts';

/** The Cosmos DB account as the environment names it; plain data. */
export interface CosmosEnv {
  /** The account's own endpoint; the endpoints of its regions come from its account document. */
  readonly endpoint: string;
  readonly credential: StoreCredential;
  /** Names of regions, nearest first, as Azure writes them or without spaces; empty for the order of the account. */
  readonly preferredRegions: readonly string[];
  /** Whether point reads leave through the SDK or as requests of the gateway's own. */
  readonly pointReads: PointLane;
}

/** Key of every local Cosmos endpoint, published by Microsoft with its emulator; worth nothing elsewhere. */
const LOCAL_COSMOS_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const LOCAL_COSMOS = 'http://127.0.0.1:8081';

/**
 * Reads COSMOS_ENDPOINT, COSMOS_KEY or COSMOS_KEY_FILE, COSMOS_AUTH, COSMOS_REGIONS and COSMOS_POINT_READS. Without any
 * of them it is the local endpoint. Throws `EnvError`.
 */
export function readCosmosEnv(source: EnvSource): CosmosEnv {
  const endpoint = readUrl(source, 'COSMOS_ENDPOINT', LOCAL_COSMOS);
  return {
    ...{ endpoint, credential: readCredential(source, endpoint) },
    ...{ preferredRegions: readRegions(source), pointReads: readPointReads(source) },
  };
}

function readPointReads(source: EnvSource): PointLane {
  const lane = valueFor(source, 'COSMOS_POINT_READS') ?? 'rest';
  if (lane === 'rest' || lane === 'sdk') return lane;
  throw new EnvError(`COSMOS_POINT_READS is "${lane}"; it is "rest" or "sdk".`);
}

function readCredential(source: EnvSource, endpoint: string): StoreCredential {
  const auth = valueFor(source, 'COSMOS_AUTH') ?? 'key';
  if (auth !== 'key' && auth !== 'entra') throw new EnvError(`COSMOS_AUTH is "${auth}"; it is "key" or "entra".`);
  const key = readKey(source);
  if (auth === 'key') return { kind: 'key', key: key ?? localKey(source, endpoint) };
  if (key !== null) throw new EnvError('COSMOS_AUTH is entra, but a COSMOS_KEY is set too: set one of them.');
  const { protocol, origin } = new URL(endpoint);
  if (protocol === 'https:' || isLocalEndpoint(origin)) return { kind: 'entra' };
  throw new EnvError(`COSMOS_AUTH is entra, so COSMOS_ENDPOINT is an https address; it is "${endpoint}".`);
}

function readKey(source: EnvSource): string | null {
  const direct = valueFor(source, 'COSMOS_KEY');
  const path = valueFor(source, 'COSMOS_KEY_FILE');
  if (direct !== null && path !== null) throw new EnvError('COSMOS_KEY and COSMOS_KEY_FILE are both set: set one.');
  const key = path === null ? direct : readSecretFile('COSMOS_KEY_FILE', path);
  const name = path === null ? 'COSMOS_KEY' : 'COSMOS_KEY_FILE';
  if (key === null || /^[A-Za-z0-9+/]{16,}={0,2}$/.test(key)) return key;
  const hint = key.includes('AccountKey=') ? 'a connection string; give its AccountKey alone' : 'no base64 text';
  throw new EnvError(`${name} is ${hint}.`);
}

function localKey(source: EnvSource, endpoint: string): string {
  if (source.COSMOS_ENDPOINT === undefined || endpoint === LOCAL_COSMOS) return LOCAL_COSMOS_KEY;
  throw new EnvError(
    'COSMOS_ENDPOINT is set but COSMOS_KEY is not: set COSMOS_KEY, COSMOS_KEY_FILE or COSMOS_AUTH=entra.',
  );
}

function readRegions(source: EnvSource): readonly string[] {
  const regions = (valueFor(source, 'COSMOS_REGIONS') ?? '').split(',').map((region) => region.trim());
  return regions.filter((region) => region !== '');
}

/** An empty variable counts as none. */
function valueFor(source: EnvSource, name: string): string | null {
  const text = source[name]?.trim();
  return text === undefined || text === '' ? null : text;
}
