/** The command's exit codes. Scripts build on them: they never change their meaning. */
export const EXIT = {
  /** Same, or done. */
  done: 0,
  /** Differences or findings. */
  differences: 1,
  /** The command line, or what it needs from here, is wrong. */
  usage: 2,
  /** Somebody else changed it, or its state does not allow it. Nothing was overwritten. */
  conflict: 3,
  /** The console refused, failed or was not reached. */
  server: 4,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

interface CliErrorInit {
  readonly code: string;
  /** What happened and what to do, for the person at the terminal. */
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

/** A way in which the command ends early. Caught once, in run.ts. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: Exit;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(exit: Exit, init: CliErrorInit) {
    super(init.message, { cause: init.cause });
    this.exit = exit;
    this.code = init.code;
    this.requestId = init.requestId;
    this.fields = init.fields;
  }
}

/** The command line is wrong. */
export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, { code: 'usage', message });
}
