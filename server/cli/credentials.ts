import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TOKEN_PATTERN } from '#server/contract/tokens.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** Which console, and the token for it. */
export interface Credentials {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

const Kept = z.object({ url: z.string(), token: z.string() });

/** Where `habitat login` keeps the address and the token: a file for its owner alone. */
export function credentialsFile({ env }: Pick<Terminal, 'env'>): string {
  const config = env.XDG_CONFIG_HOME;
  const folder = config === undefined || config === '' ? join(env.HOME ?? homedir(), '.config') : config;
  return join(folder, 'habitat', 'credentials.json');
}

/**
 * The console and token to use: --url and HABITAT_URL before the kept address, HABITAT_TOKEN before the kept token. A kept
 * token is never sent to another console than its own.
 */
export function readCredentials(terminal: Pick<Terminal, 'env'>, url: string | null): Credentials {
  const { env } = terminal;
  const kept = readKept(credentialsFile(terminal));
  const wanted = url ?? givenIn(env.HABITAT_URL);
  const address = wanted === null ? (kept?.url ?? null) : readUrl(wanted);
  if (address === null) throw usageError('No console is named: run habitat login URL, or set HABITAT_URL.');
  const given = givenIn(env.HABITAT_TOKEN);
  if (given !== null) return { url: address, token: readToken(given) };
  if (kept !== null && kept.url === address) return kept;
  throw usageError(`There is no token for ${address}: run habitat login ${address}, or set HABITAT_TOKEN.`);
}

/** Keeps them, readable by the owner alone. The file appears whole or not at all. */
export function keepCredentials(terminal: Pick<Terminal, 'env'>, credentials: Credentials): string {
  const file = credentialsFile(terminal);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  return file;
}

/** Forgets them; whether there were any. */
export function dropCredentials(terminal: Pick<Terminal, 'env'>): boolean {
  const file = credentialsFile(terminal);
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  rmSync(file, { force: true });
  return isThere;
}

/** An http or https address without a slash at the end. */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw usageError(`${text} is no address of a console: it begins with https:// or http://.`);
  }
  const { username, password, origin, pathname } = new URL(text);
  if (username !== '' || password !== '') throw usageError('The address carries no name or password; use a token.');
  return (origin + pathname).replace(/\/+$/, '');
}

/** A token as it must look. The message never repeats it. */
export function readToken(text: string): string {
  const token = text.trim();
  if (TOKEN_PATTERN.test(token)) return token;
  throw usageError(
    'That is no token: one begins with hbt_ and has 54 characters. Make one in Settings, on the tab Tokens.',
  );
}

function readKept(file: string): Credentials | null {
  const info = statSync(file, { throwIfNoEntry: false });
  if (info === undefined) return null;
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0) {
    throw usageError(
      `${file} can be read by others. Run chmod 600 ${file}, and revoke its token if somebody may have.`,
    );
  }
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CliError(EXIT.usage, {
      code: 'credentials_unreadable',
      message: `${file} is not as habitat login wrote it. Run habitat login again.`,
      cause,
    });
  }
}

function givenIn(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim();
}
