import { mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { stringify } from 'yaml';
import { apiOf, endWithProblems, folderOf, type Outcome, type Run } from '#server/cli/command.ts';
import { compareWith } from '#server/cli/compare.ts';
import { EXIT, usageError } from '#server/cli/exit.ts';
import { readFiles } from '#server/cli/files/read-files.ts';
import { renderYaml } from '#server/cli/files/render.ts';
import { type Format, writeFiles } from '#server/cli/files/write-files.ts';
import { filterOf, readPublished } from '#server/cli/published.ts';
import type { ExportedDefinition } from '#server/contract/as-code.ts';

/** Writes what is published into files. The same release into the same folder writes nothing. */
export async function exportCommand(run: Run): Promise<Outcome> {
  const { line, terminal, say } = run;
  const format = readFormat(line.text('format'));
  const isWanted = filterOf(line);
  const { release, definitions } = await readPublished(apiOf(run));
  const wanted = definitions.filter(isWanted);
  if (line.has('stdout')) return toStdout(run, { release, wanted, format });
  const folder = folderOf(run);
  mkdirSync(folder, { recursive: true });
  const files = readFiles(folder, terminal.cwd);
  const failed = endWithProblems(run, files);
  if (failed !== null) return failed;
  const comparison = compareWith(files.definitions.filter(isWanted), wanted);
  const result = writeFiles(comparison, { folder, cwd: terminal.cwd, format, deletes: line.has('delete') });
  for (const name of result.written) say(`wrote ${name}`);
  for (const name of result.deleted) say(`deleted ${name}`);
  for (const name of result.onlyHere) say(`left ${name}: it has what is not published (--delete deletes it)`);
  say(
    `${relative(terminal.cwd, folder) || '.'} is r${release ?? 0}: ${counted(wanted.length)}, ${result.written.length} written.`,
  );
  return { exit: EXIT.done, result: { release, definitions: wanted.length, ...result } };
}

/** One stream of all definitions, by kind and name. */
function toStdout(
  { line, terminal }: Run,
  { release, wanted, format }: { release: number | null; wanted: readonly ExportedDefinition[]; format: Format },
): Outcome {
  const plain = wanted.map(({ kind, name, document }) => ({ kind, name, document }));
  if (line.has('json')) return { exit: EXIT.done, result: { release, definitions: plain } };
  const text =
    format === 'json' ? `${JSON.stringify(plain, null, 2)}\n` : wanted.map((one) => `---\n${renderYaml(one)}`).join('');
  terminal.stdout.write(text === '' ? stringify([]) : text);
  return { exit: EXIT.done, result: {} };
}

function readFormat(text: string | null): Format {
  if (text === null || text === 'yaml') return 'yaml';
  if (text === 'json') return 'json';
  throw usageError(`--format is yaml or json, not ${text}.`);
}

function counted(count: number): string {
  return count === 1 ? '1 definition' : `${count} definitions`;
}
