import { createRequire } from 'node:module';
import { z } from 'zod';
import { parseArguments } from './arguments.ts';
import { checkConnection, createDatabase, dropDatabase } from './database-commands.ts';
import { panicRegistry } from './load-engine.ts';
import { PANIC_STATUS, serveRpc } from './serve-rpc.ts';

/** The three commands of the native engine's `cli` mode. */
const commands: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'can-connect-to-database': checkConnection,
  'create-database': createDatabase,
  'drop-database': dropDatabase,
};

async function run(args: readonly string[]): Promise<number> {
  const request = parseArguments(args);
  switch (request.mode) {
    case 'version':
      // The CLI takes the second word for the commit of the engine.
      process.stdout.write(`schema-engine-wasm ${engineVersion()}\n`);
      return 0;
    case 'command':
      return runCommand(request.command, request.url);
    case 'rpc':
      return serveRpc({ ...request, input: process.stdin, output: process.stdout });
  }
}

async function runCommand(name: string, url: string | undefined): Promise<number> {
  // The CLI skips the first line of stderr and reads the others as JSON records.
  process.stderr.write('Starting schema engine CLI\n');
  try {
    const command = commands[name];
    if (command === undefined) throw new Error(`The schema engine has no command ${name}.`);
    if (url === undefined) throw new Error('No database URL: set DATABASE_URL.');
    await command(url);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? { error_code: String(error.code) } : {};
    const fields = { is_panic: false, message, ...code };
    logError(fields);
    return 1;
  }
}

/** One line of the native engine's log, from which the CLI takes what to show. */
function logError(fields: { readonly is_panic: boolean; readonly message: string }): void {
  process.stderr.write(`${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}\n`);
}

function engineVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const manifest: unknown = createRequire(entry)('./package.json');
  return z.object({ version: z.string() }).parse(manifest).version.replace(/^.*\./, '');
}

// A panic inside an asynchronous call of the engine reaches nobody's catch.
process.on('uncaughtException', (error) => {
  logError({ is_panic: true, message: panicRegistry.message || (error.stack ?? error.message) });
  process.exit(PANIC_STATUS);
});

// An open database session would keep the process alive after the last answer.
process.exit(await run(process.argv.slice(2)));
