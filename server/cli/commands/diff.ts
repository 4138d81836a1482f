import { apiOf, endWithProblems, folderOf, type Outcome, type Run } from '#server/cli/command.ts';
import { type Comparison, compareWith, keyOf } from '#server/cli/compare.ts';
import { EXIT, usageError } from '#server/cli/exit.ts';
import { readFiles } from '#server/cli/files/read-files.ts';
import { renderYaml } from '#server/cli/files/render.ts';
import { didYouMean } from '#server/cli/nearest.ts';
import { filterOf, readPublished } from '#server/cli/published.ts';
import { unifiedDiff } from '#server/cli/unified.ts';

const ONLY = ['missing-here', 'missing-there', 'different'] as const;
type Only = (typeof ONLY)[number];

/**
 * Shows where the files differ from what is published: *here* are the files, *there* is the console. Exit 1 when they do;
 * with --only, when they do in that way, so that a script tells the ways apart.
 */
export async function diff(run: Run): Promise<Outcome> {
  const { line, terminal } = run;
  const only = readOnly(line.text('only'));
  const isWanted = filterOf(line);
  const files = readFiles(folderOf(run), terminal.cwd);
  const failed = endWithProblems(run, files);
  if (failed !== null) return failed;
  const { release, definitions } = await readPublished(apiOf(run));
  const whole = compareWith(files.definitions.filter(isWanted), definitions.filter(isWanted));
  const shown = narrowed(whole, only);
  sayComparison(run, shown, release);
  const count = shown.missingHere.length + shown.missingThere.length + shown.different.length;
  if (count === 0) run.say(noneWords(only, { same: whole.same.length, release: release ?? 0 }));
  return {
    exit: count === 0 ? EXIT.done : EXIT.differences,
    result: {
      release,
      same: whole.same.length,
      missingHere: shown.missingHere.map(keyOf),
      missingThere: shown.missingThere.map((one) => ({ definition: keyOf(one), file: one.file.name })),
      different: shown.different.map(({ here, there }) => ({
        definition: keyOf(here),
        file: here.file.name,
        revision: there.revision,
      })),
    },
  };
}

function narrowed(whole: Comparison, only: Only | null): Comparison {
  if (only === null) return whole;
  return {
    missingHere: only === 'missing-here' ? whole.missingHere : [],
    missingThere: only === 'missing-there' ? whole.missingThere : [],
    different: only === 'different' ? whole.different : [],
    same: whole.same,
  };
}

function sayComparison({ line, say }: Run, comparison: Comparison, release: number | null): void {
  for (const definition of comparison.missingHere)
    say(`missing here: ${keyOf(definition)} (published, in no file)`, 'removed');
  for (const one of comparison.missingThere)
    say(`missing there: ${keyOf(one)} (${one.file.name}, not published)`, 'added');
  for (const { here, there } of comparison.different) {
    say(`different: ${keyOf(here)}`);
    if (line.has('names')) continue;
    const from = { name: `r${release ?? 0} ${keyOf(there)}`, text: renderYaml(there) };
    for (const { text, tone } of unifiedDiff(from, { name: here.file.name, text: renderYaml(here) })) say(text, tone);
  }
}

function noneWords(only: Only | null, { same, release }: { same: number; release: number }): string {
  if (only === null) return `No difference: all ${same} are as published in r${release}.`;
  return `Nothing is ${only.replace('-', ' ')}: compared with r${release}.`;
}

function readOnly(text: string | null): Only | null {
  const only = ONLY.find((one) => one === text);
  if (text === null || only !== undefined) return only ?? null;
  throw usageError(`--only is ${ONLY.join(', ')}, not ${text}.${didYouMean(text, ONLY)}`);
}
