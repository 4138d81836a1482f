import { parseArgs } from 'node:util';

const FIRST_NODE_WITH_SQLITE = 24;

/** `node gateway/emulator/main.ts --port P --dir D`: the local Cosmos endpoint as a program of its own. */
async function main(): Promise<void> {
  const nodeMajor = Number(process.versions.node.split('.')[0]);
  if (nodeMajor < FIRST_NODE_WITH_SQLITE) {
    throw new Error(`The Cosmos endpoint needs Node ${FIRST_NODE_WITH_SQLITE} or newer; this is ${process.version}.`);
  }
  const { port, dir } = readArguments();
  // Imported late: an older Node would fail on node:sqlite before it could say why.
  const { startEmulator } = await import('./start.ts');
  const emulator = await startEmulator({ port, dir });
  process.stdout.write(`cosmos endpoint on ${emulator.url}\n`);
  const stop = (): void => {
    emulator.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function readArguments(): { port: number; dir: string } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env.COSMOS_PORT ?? '0' },
      dir: { type: 'string', default: `${process.env.HABITAT_HOME ?? '.habitat'}/cosmos` },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${values.port} is not a port: use 0 to 65535.`);
  return { port, dir: values.dir };
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
