import type { Readable, Writable } from 'node:stream';

/** Where the command runs: everything it touches beside files and the console. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
}

export type Tone = 'plain' | 'added' | 'removed' | 'quiet';

const CODES: Readonly<Record<Tone, string>> = { plain: '', added: '32', removed: '31', quiet: '2' };

/** Lines for a person, in colour where the terminal has it (https://no-color.org). */
export function sayTo(terminal: Terminal): (line: string, tone?: Tone) => void {
  const hasColour = terminal.stdout.isTTY === true && (terminal.env.NO_COLOR ?? '') === '';
  return (line, tone = 'plain') => {
    const text = plain(line);
    const code = CODES[tone];
    terminal.stdout.write(hasColour && code !== '' ? `\u001b[${code}m${text}\u001b[0m\n` : `${text}\n`);
  };
}

/** Text without control characters: what others wrote into a definition must not drive this terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\u{fffd}');
}
