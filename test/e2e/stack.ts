import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `npm start` writes into HABITAT_HOME/run.json, as far as tests read it. */
interface RunFile {
  readonly consoleUrl: string;
  readonly gatewayUrl: string;
  readonly cosmosUrl: string;
  readonly pids: Readonly<Record<string, number>>;
}

/** All of Habitat as `npm start` runs it, on free ports and a data folder of its own. */
export interface Stack {
  readonly home: string;
  readonly run: () => RunFile;
  readonly demoKey: () => string;
  /** Everything the launcher printed so far. */
  readonly output: () => string;
  readonly launcher: ChildProcess;
  /** SIGTERM, as Ctrl-C does it; resolves with the exit code when the launcher is gone. */
  stop(): Promise<number | null>;
  /** Stops and removes the data. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the stack and waits until it says where it is. The first start of a checkout builds the console. */
export async function startStack(
  options: { readonly home?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Stack> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'habitat-e2e-'));
  const runFile = join(home, 'run.json');
  rmSync(runFile, { force: true });
  const ports = { CONSOLE_PORT: '0', GATEWAY_PORT: '0', COSMOS_PORT: '0' };
  const launcher = spawn(process.execPath, ['server/launch/main.ts'], {
    // vitest sets NODE_ENV=test, which a person's shell does not.
    env: { ...process.env, NODE_ENV: 'production', ...ports, HABITAT_HOME: home, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  launcher.stdout.on('data', (chunk) => (output += chunk));
  launcher.stderr.on('data', (chunk) => (output += chunk));
  const gone = new Promise<number | null>((resolve) => launcher.once('exit', resolve));
  const stop = async () => {
    if (launcher.exitCode === null) launcher.kill('SIGTERM');
    return gone;
  };
  await until(
    () => {
      if (launcher.exitCode !== null) throw new Error(`npm start ended with ${launcher.exitCode}:\n${output}`);
      return existsSync(runFile);
    },
    { what: 'run.json', timeoutMs: 280_000, detail: () => output },
  );
  return {
    home,
    run: () => JSON.parse(readFileSync(runFile, 'utf8')) as RunFile,
    demoKey: () => readFileSync(join(home, 'demo-key'), 'utf8').trim(),
    output: () => output,
    launcher,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Polls until `check` holds; the deadline only bounds a failure, a pass never waits for it. */
export async function until(
  check: () => boolean | Promise<boolean>,
  options: { readonly what: string; readonly timeoutMs?: number; readonly detail?: () => string },
): Promise<void> {
  const deadlineMs = Date.now() + (options.timeoutMs ?? 90_000);
  for (;;) {
    if (await check()) return;
    if (Date.now() > deadlineMs) throw new Error(`Waited for ${options.what} in vain. ${options.detail?.() ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** One call to the gateway with a key, the reply read whole. */
export async function callGateway(
  url: string,
  options: {
    readonly key?: string;
    readonly method?: string;
    readonly body?: string;
    readonly headers?: Record<string, string>;
  },
): Promise<{
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly code: string | undefined;
}> {
  const reply = await fetch(url, {
    method: options.method ?? 'GET',
    headers: { ...(options.key ? { authorization: `Bearer ${options.key}` } : {}), ...options.headers },
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const text = await reply.text();
  const code = reply.ok || text === '' ? undefined : (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  return { status: reply.status, headers: reply.headers, text, code };
}
