import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { isErrno } from './processes.ts';

/**
 * Reads a secret, making it at first use: 32 random bytes in base64url, in a file only its owner may read.
 * Two starters at once end with the same secret, and a crash leaves either no file or a whole one.
 */
export function readOrCreateSecret(file: string): string {
  return readOrCreateFile(file, () => randomBytes(32).toString('base64url'));
}

/** The same promise for content of any form. `make` runs only when the file is missing. */
export function readOrCreateFile(file: string, make: () => string): string {
  const existing = readIfPresent(file);
  if (existing !== undefined) return existing;
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, make(), { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link refuses to replace what is there, so whoever comes second takes the first one's secret.
    linkSync(draft, file);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
