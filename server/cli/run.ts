import type { Command, Outcome } from './command.ts';
import { type CommandLine, type CommandName, helpText, readCommandLine } from './command-line.ts';
import { apply } from './commands/apply.ts';
import { check } from './commands/check.ts';
import { diff } from './commands/diff.ts';
import { exportCommand } from './commands/export.ts';
import { login, logout } from './commands/login.ts';
import { types } from './commands/types.ts';
import { whoami } from './commands/whoami.ts';
import { CliError, EXIT, type Exit } from './exit.ts';
import { plain, sayTo, type Terminal } from './terminal.ts';

const RUNS: Readonly<Record<CommandName, Command>> = {
  login,
  logout,
  whoami,
  export: exportCommand,
  diff,
  check,
  apply,
  types,
};

/**
 * Runs one command line and answers its exit code. Words go to stdout and errors to stderr; under --json exactly one object
 * goes to stdout, `{habitat, command, exit, …}` with the result or an `error`.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<Exit> {
  // Known before the line is read, so that a wrong one is told in the same form.
  const isJson = argv.includes('--json');
  try {
    const line = readCommandLine(argv);
    if ('help' in line) {
      terminal.stdout.write(helpText(line.help));
      return EXIT.done;
    }
    return await runCommand(line, terminal, isJson);
  } catch (error) {
    const known = asCliError(error);
    if (isJson) writeJson(terminal, argv[0] ?? null, { exit: known.exit, result: { error: errorBody(known) } });
    else sayError(terminal, known);
    return known.exit;
  }
}

async function runCommand(line: CommandLine, terminal: Terminal, isJson: boolean): Promise<Exit> {
  const say = isJson ? () => undefined : sayTo(terminal);
  const outcome = await RUNS[line.command]({ line, terminal, say });
  if (isJson) writeJson(terminal, line.command, outcome);
  return outcome.exit;
}

/** Version of the shape of --json. Fields are added under one version, never changed. */
const JSON_VERSION = 1;

function writeJson({ stdout }: Terminal, command: string | null, { exit, result }: Outcome): void {
  stdout.write(`${JSON.stringify({ habitat: JSON_VERSION, command, exit, ...result }, null, 2)}\n`);
}

function errorBody({ code, message, requestId, fields }: CliError) {
  return { code, message, requestId: requestId ?? null, fields: fields ?? {} };
}

function sayError({ stderr }: Terminal, { message, requestId, fields }: CliError): void {
  stderr.write(`habitat: ${plain(message)}\n`);
  for (const [field, what] of Object.entries(fields ?? {})) stderr.write(`  ${plain(field)}: ${plain(what)}\n`);
  if (requestId !== undefined) stderr.write(`  request ${plain(requestId)}\n`);
}

function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const said = error instanceof Error ? error.message : String(error);
  return new CliError(EXIT.usage, { code: 'failed', message: `This went wrong here: ${said}`, cause: error });
}
