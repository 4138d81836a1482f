import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CONSISTENCY_LEVELS } from '#gateway/contract/local-cosmos.ts';
import { adminToken } from './admin/token-file.ts';
import { type AccountOptions, DEFAULT_ACCOUNT, type EmulatorOptions, type RegionOptions } from './options.ts';
import type { RunningEmulator } from './start.ts';

/** The command line as it was given. */
export interface Arguments {
  readonly port?: string | undefined;
  readonly regions?: string | undefined;
  readonly config?: string | undefined;
  readonly dir?: string | undefined;
  readonly 'admin-port'?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly options: EmulatorOptions;
  /** Where the admin token lies; undefined without an admin port. */
  readonly tokenFile: string | undefined;
}

const Config = z.strictObject({
  accounts: z
    .array(
      z.strictObject({
        name: z.string(),
        key: z.base64().optional(),
        consistency: z.enum(CONSISTENCY_LEVELS).optional(),
        partitionRuPerSecond: z.number().positive().nullable().optional(),
        regions: z.array(z.strictObject({ name: z.string(), port: z.int() })),
      }),
    )
    .min(1),
});

/** Reads command line and environment. Throws with one sentence for the person who typed it. */
export function readSettings(values: Arguments, env: Environment): Settings {
  const dir = values.dir ?? join(env.HABITAT_HOME ?? '.habitat', 'cosmos');
  const given = [values.port, values.regions, values.config].filter((value) => value !== undefined);
  if (given.length > 1) throw new Error('Use one of --port, --regions and --config.');
  const adminPort = values['admin-port'] === undefined ? undefined : portOf(values['admin-port']);
  const tokenFile = adminPort === undefined ? undefined : (env.COSMOS_ADMIN_TOKEN_FILE ?? join(dir, 'admin-token'));
  return {
    options: {
      dir,
      ...placesOf(values, env),
      ...(adminPort === undefined ? {} : { adminPort }),
      ...(tokenFile === undefined ? {} : { adminToken: adminToken(tokenFile) }),
    },
    tokenFile,
  };
}

/** The lines that say what listens where. */
export function announce({ accounts, admin }: RunningEmulator, tokenFile: string | undefined): string {
  const regions = accounts.flatMap((account) =>
    account.regions.map((region) => ({ ...region, account: account.name })),
  );
  const lines = regions.map(({ account, name, url }) =>
    regions.length === 1 ? `cosmos endpoint on ${url}` : `cosmos endpoint of ${account} in ${name} on ${url}`,
  );
  if (admin !== undefined) lines.push(`cosmos admin on ${admin.url}, its token in ${tokenFile}`);
  return `${lines.join('\n')}\n`;
}

function placesOf({ port, regions, config }: Arguments, env: Environment): Pick<EmulatorOptions, 'port' | 'accounts'> {
  if (config !== undefined) return { accounts: readConfig(config) };
  if (regions !== undefined)
    return { accounts: [{ name: DEFAULT_ACCOUNT, regions: regions.split(',').map(regionOf) }] };
  return { port: portOf(port ?? env.COSMOS_PORT ?? '0') };
}

function regionOf(text: string): RegionOptions {
  const [name = '', port, ...rest] = text.split('=');
  if (port === undefined || rest.length > 0) {
    throw new Error(`${text} is not a region: write its name and port as East=8081.`);
  }
  return { name: name.trim(), port: portOf(port) };
}

function readConfig(file: string): readonly AccountOptions[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: ${(cause as Error).message}.`, { cause });
  }
  const parsed = Config.safeParse(json);
  if (!parsed.success) throw new Error(`${file} is not a configuration: ${z.prettifyError(parsed.error)}`);
  return parsed.data.accounts;
}

function portOf(text: string): number {
  const port = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${text} is not a port: use 0 to 65535.`);
  return port;
}
