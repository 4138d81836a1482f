import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, until } from './stack.ts';

/** Published by Microsoft for every local Cosmos endpoint; worth nothing elsewhere. */
const LOCAL_COSMOS_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

/** Another gateway of a running stack, on a free port, with a state folder of its own. */
export interface SecondGateway {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it and waits until it listens. It follows the same console and calls the same store. */
export async function startSecondGateway(stack: Stack, name: string): Promise<SecondGateway> {
  const stateDir = mkdtempSync(join(tmpdir(), 'habitat-gateway-'));
  const { consoleUrl, cosmosUrl } = stack.run();
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ['gateway/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HABITAT_HOME: stack.home,
      CONSOLE_URL: consoleUrl,
      COSMOS_ENDPOINT: cosmosUrl,
      COSMOS_KEY: LOCAL_COSMOS_KEY,
      GATEWAY_NAME: name,
      GATEWAY_PORT: String(port),
      GATEWAY_WORKERS: '1',
      GATEWAY_STATE_DIR: stateDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`the second gateway ended:\n${output}`);
    return (await fetch(`${url}/v1/chat/objects/Message/none`).catch(() => null)) !== null;
  };
  await until(answers, { what: `${name} to listen`, timeoutMs: 120_000, detail: () => output });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}
