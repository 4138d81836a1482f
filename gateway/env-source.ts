import { readFileSync } from 'node:fs';

/** The environment's variables. */
export type EnvSource = Readonly<Record<string, string | undefined>>;

/** One sentence for whoever started the program; it names the variable. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

export function readUrl(source: EnvSource, name: string, fallback: string): string {
  const text = source[name] ?? fallback;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new EnvError(`${name} is "${text}", which is no http or https URL.`);
}

export function readSecretFile(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it is not readable';
    throw new EnvError(`${name}: the file ${path} cannot be read (${reason}).`);
  }
  if (text === '') throw new EnvError(`${name}: the file ${path} is empty.`);
  return text;
}
