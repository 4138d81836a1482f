import { parseArgs } from 'node:util';

const FIRST_NODE_WITH_SQLITE = 24;

/**
 * `node gateway/emulator/main.ts --port P --dir D`: the local Cosmos endpoint as a program of its own. Several regions:
 * `--regions East=8081,West=8082`. Several accounts: `--config FILE`. Faults at run time: `--admin-port P`.
 */
async function main(): Promise<void> {
  const nodeMajor = Number(process.versions.node.split('.')[0]);
  if (nodeMajor < FIRST_NODE_WITH_SQLITE) {
    throw new Error(`The Cosmos endpoint needs Node ${FIRST_NODE_WITH_SQLITE} or newer; this is ${process.version}.`);
  }
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      regions: { type: 'string' },
      config: { type: 'string' },
      dir: { type: 'string' },
      'admin-port': { type: 'string' },
    },
  });
  // Imported late: an older Node would fail on node:sqlite before it could say why.
  const { announce, readSettings } = await import('./settings.ts');
  const { startEmulator } = await import('./start.ts');
  const { options, tokenFile } = readSettings(values, process.env);
  const emulator = await startEmulator(options);
  process.stdout.write(announce(emulator, tokenFile));
  const stop = (): void => {
    emulator.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
