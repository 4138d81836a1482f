import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { type Outcome, pathIn, type Run } from '#server/cli/command.ts';
import { consoleApi } from '#server/cli/console-api.ts';
import { credentialsFile, dropCredentials, keepCredentials, readToken, readUrl } from '#server/cli/credentials.ts';
import { CliError, EXIT, usageError } from '#server/cli/exit.ts';
import type { Terminal } from '#server/cli/terminal.ts';
import { Me } from '#server/contract/people.ts';
import { whoIs } from './whoami.ts';

/** Asks the console who the token acts for and keeps both. The token comes from stdin, a file or a hidden prompt, never argv. */
export async function login(run: Run): Promise<Outcome> {
  const { line, terminal, say } = run;
  const given = line.argument ?? line.text('url') ?? terminal.env.HABITAT_URL;
  if (given === undefined || given === '') throw usageError('Say which console: habitat login https://…');
  const url = readUrl(given);
  const token = readToken(await askToken(run, url));
  const me = await consoleApi({ url, token }).get('/api/me', Me);
  const file = keepCredentials(terminal, { url, token });
  for (const sentence of whoIs(url, me)) say(sentence);
  say(`Kept in ${file}.`);
  return { exit: EXIT.done, result: { url, id: me.id, name: me.name, file } };
}

/** Forgets the kept token. It stays valid: revoking it is done in Settings. */
export async function logout({ terminal, say }: Run): Promise<Outcome> {
  const wasThere = dropCredentials(terminal);
  const file = credentialsFile(terminal);
  say(wasThere ? `Deleted ${file}. Revoke the token in Settings if nobody uses it any more.` : 'No token was kept.');
  return { exit: EXIT.done, result: { deleted: wasThere ? file : null } };
}

async function askToken(run: Run, url: string): Promise<string> {
  const { line, terminal } = run;
  const file = line.text('token-file');
  if (file === '-') return readAll(terminal.stdin);
  if (file !== null) return readTokenFile(pathIn(run, file));
  const { HABITAT_TOKEN: token } = terminal.env;
  if (token !== undefined && token !== '') return token;
  return terminal.stdin.isTTY === true ? prompt(terminal, url) : readAll(terminal.stdin);
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CliError(EXIT.usage, { code: 'usage', message: `${path} cannot be read.`, cause });
  }
}

/** Echoes nothing of what is typed or pasted. */
function prompt({ stdin, stderr }: Terminal, url: string): Promise<string> {
  stderr.write(`Make a token at ${url}/settings?tab=tokens and paste it here (it is not shown): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => reject(usageError('Nothing was kept.')));
    lines.question('', resolve);
  }).finally(() => {
    lines.close();
    stderr.write('\n');
  }) as Promise<string>;
}
