import { checkEdits, editsOf } from '#server/cli/check-files.ts';
import { apiOf, endWithProblems, folderOf, type Outcome, type Run, sayProblems } from '#server/cli/command.ts';
import { compareWith } from '#server/cli/compare.ts';
import { EXIT } from '#server/cli/exit.ts';
import { readFiles } from '#server/cli/files/read-files.ts';
import { readPublished } from '#server/cli/published.ts';

/**
 * Has the console check what the files say otherwise than what is published, as if it were a change. Creates nothing.
 * Exit 1 when anything is found that is worse than a remark.
 */
export async function check(run: Run): Promise<Outcome> {
  const files = readFiles(folderOf(run), run.terminal.cwd);
  const failed = endWithProblems(run, files);
  if (failed !== null) return failed;
  const api = apiOf(run);
  const { release, definitions } = await readPublished(api);
  const edits = editsOf(compareWith(files.definitions, definitions));
  const { problems, effects } = await checkEdits(api, edits, files.definitions);
  sayProblems(run, problems);
  for (const { text } of effects) run.say(text, 'quiet');
  const isClean = problems.every(({ severity }) => severity === 'info');
  if (isClean) run.say(`Nothing to fix: ${edits.length} of ${files.definitions.length} differ from r${release ?? 0}.`);
  return {
    exit: isClean ? EXIT.done : EXIT.differences,
    result: { release, checked: edits.length, problems, effects: effects.map(({ text }) => text) },
  };
}
