import { parseArgs } from 'node:util';
import { usageError } from './exit.ts';
import { didYouMean } from './nearest.ts';

interface Option {
  readonly type: 'string' | 'boolean';
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly says: string;
}

export interface CommandSpec {
  readonly says: string;
  /** What its one positional argument is called; absent when it takes none. */
  readonly takes?: string;
  readonly options: Readonly<Record<string, Option>>;
}

const kind: Option = { type: 'string', value: 'KINDS', says: 'only these kinds, e.g. objectType,edgeType' };
const team: Option = { type: 'string', value: 'TEAM', says: 'only definitions owned by this team' };

/** Options of every command. */
const COMMON: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', says: 'one JSON object on stdout instead of words' },
  url: { type: 'string', value: 'URL', says: 'the console (else HABITAT_URL, else the last login)' },
  help: { type: 'boolean', says: 'this text' },
};

export const COMMANDS = {
  login: {
    says: 'checks a token and keeps it with the address of its console',
    takes: 'URL',
    options: { 'token-file': { type: 'string', value: 'FILE', says: 'read the token from a file, - for stdin' } },
  },
  logout: { says: 'forgets the kept token', options: {} },
  whoami: { says: 'says who the token acts for and what it may do', options: {} },
  export: {
    says: 'writes what is published into files, one a definition',
    takes: 'FOLDER',
    options: {
      kind,
      team,
      format: { type: 'string', value: 'yaml|json', says: 'of new files (yaml)' },
      stdout: { type: 'boolean', says: 'write to stdout, not into files' },
      delete: { type: 'boolean', says: 'delete files of definitions that are not published' },
    },
  },
  diff: {
    says: 'shows where the files differ from what is published',
    takes: 'FOLDER',
    options: {
      kind,
      team,
      only: { type: 'string', value: 'missing-here|missing-there|different', says: 'look for these alone' },
      names: { type: 'boolean', says: 'names alone, without the lines' },
    },
  },
  check: { says: 'has the console check the files; creates nothing', takes: 'FOLDER', options: {} },
  apply: {
    says: 'makes one change of what the files say otherwise than what is published',
    takes: 'FOLDER',
    options: {
      title: { type: 'string', value: 'TEXT', says: 'title of the change' },
      reason: { type: 'string', value: 'TEXT', says: 'why, for reviewers and the audit log' },
      link: { type: 'string', value: 'URL', says: 'e.g. of the pull request' },
      source: { type: 'string', value: 'NAME', says: 'the repository (else HABITAT_SOURCE, else the git remote)' },
      submit: { type: 'boolean', says: 'send it to review' },
      publish: { type: 'boolean', says: 'publish it if it is approved' },
      'publish-when-approved': { type: 'boolean', says: 'have the approval publish it' },
      prune: { type: 'boolean', says: 'remove what this repository kept and has no file for any more' },
      'let-go': { type: 'boolean', says: 'leave what has no file any more to the console' },
      overwrite: { type: 'boolean', says: 'overwrite what was changed in the console since the last apply' },
      'take-over': { type: 'boolean', says: 'take over what another repository keeps' },
    },
  },
  types: {
    says: 'writes the object and edge types as a module that types the client library',
    takes: 'FILE',
    options: {
      from: { type: 'string', value: 'FOLDER', says: 'from these files instead of what is published' },
      check: { type: 'boolean', says: 'write nothing; differ when FILE is not up to date' },
    },
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

/** A command line as read. Options that were not given are absent. */
export interface CommandLine {
  readonly command: CommandName;
  readonly argument: string | null;
  readonly text: (option: string) => string | null;
  readonly has: (option: string) => boolean;
}

/** Reads the arguments after `habitat`; null asks for help. Throws a usage error that names the nearest word. */
export function readCommandLine(argv: readonly string[]): CommandLine | { readonly help: CommandName | null } {
  const [word = 'help', ...rest] = argv;
  if (['help', '--help', '-h'].includes(word))
    return { help: rest[0] !== undefined && isCommand(rest[0]) ? rest[0] : null };
  if (!isCommand(word)) {
    throw usageError(`habitat has no command ${word}.${didYouMean(word, Object.keys(COMMANDS))} See habitat help.`);
  }
  const spec: CommandSpec = COMMANDS[word];
  const options = { ...spec.options, ...COMMON };
  checkOptions(word, rest, options);
  const { values, positionals } = parse(word, rest, options);
  if (values.help === true) return { help: word };
  const most = spec.takes === undefined ? 0 : 1;
  if (positionals.length > most) {
    throw usageError(
      `habitat ${word} takes ${most === 0 ? 'no argument' : `one ${spec.takes}`}, not ${positionals.join(' ')}.`,
    );
  }
  return {
    command: word,
    argument: positionals[0] ?? null,
    text: (option) => (typeof values[option] === 'string' ? values[option] : null),
    has: (option) => values[option] === true,
  };
}

/** The help of one command, or of all. */
export function helpText(command: CommandName | null): string {
  if (command === null) {
    const lines = Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(8)} ${says}`);
    return `Definitions of Habitat as files.\n\n${lines.join('\n')}\n\nhabitat help COMMAND says more. Exit: 0 same or done, 1 differences or findings, 2 usage,\n3 conflict, 4 server or network.\n`;
  }
  const spec: CommandSpec = COMMANDS[command];
  const options = Object.entries({ ...spec.options, ...COMMON }).map(
    ([name, { value, says }]) => `  ${`--${name}${value === undefined ? '' : ` ${value}`}`.padEnd(34)} ${says}`,
  );
  const takes = spec.takes === undefined ? '' : ` [${spec.takes}]`;
  return `habitat ${command}${takes}: ${spec.says}\n\n${options.join('\n')}\n`;
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

function checkOptions(command: string, rest: readonly string[], options: Readonly<Record<string, Option>>): void {
  const end = rest.indexOf('--');
  for (const word of end < 0 ? rest : rest.slice(0, end)) {
    const name = /^--([^=]+)/.exec(word)?.[1];
    if (name === undefined || Object.hasOwn(options, name)) continue;
    throw usageError(
      `habitat ${command} has no option --${name}.${didYouMean(
        `--${name}`,
        Object.keys(options).map((one) => `--${one}`),
      )}`,
    );
  }
}

function parse(command: string, args: readonly string[], options: Readonly<Record<string, Option>>) {
  try {
    const types = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
    return parseArgs({ args: [...args], options: types, allowPositionals: true, strict: true });
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw usageError(`habitat ${command}: ${why}. See habitat help ${command}.`);
  }
}
