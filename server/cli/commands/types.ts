import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { apiOf, endWithProblems, type Outcome, pathIn, type Run } from '#server/cli/command.ts';
import { EXIT, usageError } from '#server/cli/exit.ts';
import { readFiles } from '#server/cli/files/read-files.ts';
import { readPublished } from '#server/cli/published.ts';
import { generateTypes, isSameModule, type TypesInput } from '#server/cli/types/generate-types.ts';

/** Writes the published types, or those in files, as a module for the client library. An up-to-date file is not touched. */
export async function types(run: Run): Promise<Outcome> {
  const { line, terminal, say } = run;
  if (line.argument === null) throw usageError('Say which file: habitat types src/habitat.ts');
  const input = await inputOf(run);
  if ('exit' in input) return input;
  const { text, objectTypes, edgeTypes, leftOut } = generateTypes(input);
  for (const name of leftOut) say(`left out ${name}: it is not complete`);
  const path = pathIn(run, line.argument);
  const name = relative(terminal.cwd, path);
  const isSame = existsSync(path) && isSameModule(readFileSync(path, 'utf8'), text);
  const result = { file: name, objectTypes, edgeTypes, leftOut, upToDate: isSame };
  if (isSame) {
    say(`${name} is up to date.`);
    return { exit: EXIT.done, result };
  }
  if (line.has('check')) {
    say(`${name} is not up to date: run habitat types ${name}.`);
    return { exit: EXIT.differences, result };
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  say(`Wrote ${name}: ${objectTypes} object types, ${edgeTypes} edge types.`);
  return { exit: EXIT.done, result };
}

async function inputOf(run: Run): Promise<TypesInput | Outcome> {
  const folder = run.line.text('from');
  if (folder !== null) {
    const files = readFiles(pathIn(run, folder), run.terminal.cwd);
    return endWithProblems(run, files) ?? { definitions: files.definitions, madeFrom: folder };
  }
  const api = apiOf(run);
  const { release, definitions } = await readPublished(api);
  return { definitions, madeFrom: `r${release ?? 0} of ${api.url}` };
}
