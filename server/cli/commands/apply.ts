import { checkEdits, editsOf, type FileEdit } from '#server/cli/check-files.ts';
import { apiOf, endWithProblems, folderOf, type Outcome, type Run, sayProblems } from '#server/cli/command.ts';
import { type Comparison, compareWith, keyOf } from '#server/cli/compare.ts';
import type { ConsoleApi } from '#server/cli/console-api.ts';
import { CliError, EXIT, usageError } from '#server/cli/exit.ts';
import { type FileSet, readFiles } from '#server/cli/files/read-files.ts';
import { type PublishedSet, readPublished } from '#server/cli/published.ts';
import { sourceOf } from '#server/cli/source.ts';
import { Applied, type ApplyDefinitions } from '#server/contract/as-code.ts';
import { moveOn } from './move-on.ts';

/** A release that comes while the files are compared makes the command compare again, so often. */
const MAX_TRIES = 3;

/**
 * Makes one change of what the files say otherwise than what is published, or brings the repository's open change to them.
 * The same files again make no second change and leave its approvals. Findings that block make none at all (exit 1).
 */
export async function apply(run: Run): Promise<Outcome> {
  if (run.line.has('prune') && run.line.has('let-go')) throw usageError('Choose one of --prune and --let-go.');
  const folder = folderOf(run);
  const files = readFiles(folder, run.terminal.cwd);
  const failed = endWithProblems(run, files);
  if (failed !== null) return failed;
  const source = sourceOf(run, folder);
  const api = apiOf(run);
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(run, { api, files, source });
    } catch (error) {
      if (!(error instanceof CliError && error.code === 'revision_conflict') || tries === MAX_TRIES) throw error;
    }
  }
}

interface Apply {
  readonly api: ConsoleApi;
  readonly files: FileSet;
  readonly source: string;
}

async function applyOnce(run: Run, { api, files, source }: Apply): Promise<Outcome> {
  const published = await readPublished(api);
  const comparison = compareWith(files.definitions, published.definitions);
  const orphans = comparison.missingHere.filter(({ managedBy }) => managedBy === source);
  const removals = run.line.has('prune')
    ? orphans.map(({ kind, name }): FileEdit => ({ kind, name, document: null }))
    : [];
  const edits = [...editsOf(comparison), ...removals];
  const { problems, effects } = await checkEdits(api, edits, files.definitions);
  sayProblems(run, problems);
  if (problems.some(({ severity }) => severity === 'error')) {
    run.say('Nothing was applied: correct the errors first.');
    return { exit: EXIT.differences, result: { source, outcome: 'blocked', change: null, problems } };
  }
  for (const { text } of effects) run.say(text, 'quiet');
  sayOrphans(run, orphans);
  const letGo = run.line.has('let-go') ? orphans : [];
  const body = bodyOf(run, { source, published, comparison, edits, letGo });
  const applied = await api.send('POST /api/definitions/apply', Applied, body);
  return moveOn(run, api, { applied, source, problems });
}

function bodyOf(
  { line }: Run,
  facts: {
    readonly source: string;
    readonly published: PublishedSet;
    readonly comparison: Comparison;
    readonly edits: readonly FileEdit[];
    readonly letGo: Comparison['missingHere'];
  },
) {
  const { source, published, comparison, edits, letGo } = facts;
  const names = (list: readonly Pick<FileEdit, 'kind' | 'name'>[]) => list.map(({ kind, name }) => ({ kind, name }));
  return {
    source,
    release: published.release,
    title: (line.text('title') ?? titleOf(edits, source)).slice(0, 120),
    reason: line.text('reason') ?? '',
    link: line.text('link'),
    edits,
    unchanged: names(comparison.same),
    letGo: names(letGo),
    overwrite: line.has('overwrite'),
    takeOver: line.has('take-over'),
  } satisfies Record<keyof ApplyDefinitions, unknown>;
}

/** *Message and 2 more from git.example/chat*. */
function titleOf(edits: readonly FileEdit[], source: string): string {
  const first = edits[0]?.name ?? 'Nothing';
  const more = edits.length > 1 ? ` and ${edits.length - 1} more` : '';
  return `${first}${more} from ${source.replace(/^https?:\/\//, '')}`;
}

function sayOrphans({ line, say }: Run, orphans: Comparison['missingHere']): void {
  if (line.has('prune') || line.has('let-go')) return;
  for (const one of orphans)
    say(`${keyOf(one)} has no file any more. --prune removes it, --let-go leaves it to the console.`);
}
