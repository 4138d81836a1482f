import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll } from 'vitest';
import { run } from '#server/cli/run.ts';
import type { Scope } from '#server/contract/scopes.ts';
import { createListener } from '#server/db/listen.ts';
import type { Installation } from '#server/http/installation.ts';
import { createToken } from '#server/tokens/create-token.ts';
import type { TestConsole } from '#test/server/console.ts';
import { serveConsoleApi } from '#test/support/serve-console-api.ts';

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The one object of --json. */
  readonly json: Record<string, unknown>;
}

/** A person's folder with the habitat command in it. */
export interface Workplace {
  readonly folder: string;
  readonly env: Record<string, string>;
  write(name: string, text: string | Uint8Array): string;
  habitat(line: string | readonly string[], stdin?: string): Promise<Ran>;
}

/** A folder of its own, gone when the test file ends. Nothing of the machine's own environment reaches it. */
export function workplace(env: Record<string, string> = {}): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'habitat-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const own = { HOME: folder, HABITAT_SOURCE: 'git.example/chat', ...env };
  return {
    folder,
    env: own,
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    habitat: async (line, stdin = '') => {
      const [out, err] = [collector(), collector()];
      const argv = typeof line === 'string' ? line.split(' ') : line;
      const terminal = { stdin: Readable.from([stdin]), stdout: out.stream, stderr: err.stream, env: own, cwd: folder };
      const exit = await run(argv, terminal);
      return { exit, out: out.text(), err: err.text(), json: argv.includes('--json') ? JSON.parse(out.text()) : {} };
    },
  };
}

function collector() {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/** A console's API served over HTTP, and a way to tokens for it. */
export async function servedConsole(console_: TestConsole) {
  const { db, env, signer } = console_;
  const listener = createListener(env.databaseUrl);
  const clock = { nowMs: (await console_.as('ana')).nowMs };
  const installation: Installation = { db, env, signer, listener, now: () => (clock.nowMs += 1_000) };
  const served = await serveConsoleApi(installation);
  const token = async (who: string, ...scopes: Scope[]) =>
    (await createToken(await console_.as(who), { name: 'of the test', team: null, scopes, expiresInDays: 90 })).secret;
  /** Of a team's CI, made by the example's admin. */
  const ciToken = async (team: string, ...scopes: Scope[]) =>
    (await createToken(await console_.as('ada'), { name: 'pipeline', team, scopes, expiresInDays: 90 })).secret;
  return { ...served, installation, token, ciToken };
}
