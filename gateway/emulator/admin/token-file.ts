import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const SHORTEST_TOKEN = 16;

/** The token in a file; made at random, for its owner alone to read, when there is no such file. */
export function adminToken(file: string): string {
  const known = readToken(file);
  if (known !== undefined) return known;
  const token = randomBytes(32).toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  } catch (cause) {
    throw new Error(`The admin token cannot be written to ${file}: ${(cause as Error).message}.`, { cause });
  }
}

function readToken(file: string): string | undefined {
  let token: string;
  try {
    token = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The admin token cannot be read from ${file}: ${(cause as Error).message}.`, { cause });
  }
  if (token.length < SHORTEST_TOKEN) throw new Error(`${file} holds no admin token of ${SHORTEST_TOKEN} characters.`);
  return token;
}
