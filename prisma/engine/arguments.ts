import { parseArgs } from 'node:util';
import { z } from 'zod';

/** What the CLI asks of an engine process. */
export type EngineRequest =
  | { readonly mode: 'version' }
  | { readonly mode: 'command'; readonly command: string; readonly url: string | undefined }
  | { readonly mode: 'rpc'; readonly url: string | undefined; readonly schemaFiles: readonly string[] };

const datasourceSchema = z.object({ url: z.string().optional(), shadowDatabaseUrl: z.string().optional() });

/** Reads the command line of the native engine (Prisma 7.10): flags we do not act on are accepted, unknown ones refused. */
export function parseArguments(args: readonly string[]): EngineRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      version: { type: 'boolean' },
      datasource: { type: 'string' },
      datamodels: { type: 'string', multiple: true },
      'enabled-preview-features': { type: 'string' },
      'extension-types': { type: 'string' },
    },
  });
  if (values.version === true) return { mode: 'version' };
  const { url, shadowDatabaseUrl } = datasourceSchema.parse(JSON.parse(values.datasource ?? '{}'));
  if (shadowDatabaseUrl !== undefined && shadowDatabaseUrl !== '') {
    throw new Error('shadowDatabaseUrl is not supported: a shadow database is made beside the real one and dropped.');
  }
  const [first, command] = positionals;
  if (first === 'cli' && command !== undefined) return { mode: 'command', command, url };
  return { mode: 'rpc', url, schemaFiles: values.datamodels ?? [] };
}
