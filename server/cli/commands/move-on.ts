import type { Outcome, Run } from '#server/cli/command.ts';
import type { CommandLine } from '#server/cli/command-line.ts';
import type { ConsoleApi } from '#server/cli/console-api.ts';
import { EXIT } from '#server/cli/exit.ts';
import type { Problem } from '#server/cli/files/problem.ts';
import { Done } from '#server/contract/api/api-route.ts';
import type { Applied } from '#server/contract/as-code.ts';
import { ChangeDetail } from '#server/contract/changes.ts';
import { PublishedOrQueued } from '#server/contract/definitions.ts';

interface Came {
  readonly applied: Applied;
  readonly source: string;
  readonly problems: readonly Problem[];
}

/** What comes after an apply: sends the change to review and publishes it, as far as was asked and it allows. */
export async function moveOn(run: Run, api: ConsoleApi, { applied, source, problems }: Came): Promise<Outcome> {
  const { line, say } = run;
  const { outcome, change, abandoned } = applied;
  if (change === null) {
    say(
      abandoned === null
        ? 'Nothing to do: the files say what is published.'
        : `The files say what is published; ∆${abandoned} was abandoned.`,
    );
    return { exit: EXIT.done, result: { source, outcome, change: null, abandoned, release: null, problems } };
  }
  say(`${WORDS[outcome]}: ∆${change.number}, ${change.edits === 1 ? '1 edit' : `${change.edits} edits`}.`);
  const { release, waitsFor, state } = await reach(line, api, change);
  const url = `${api.url}/changes/${change.number}`;
  say(release === null ? `It is ${state}. ${waitsFor}` : `Published as r${release}.`);
  say(url);
  const { number, contentHash, edits } = change;
  const result = { source, outcome, change: { number, url, state, contentHash, edits }, abandoned, release, problems };
  return { exit: EXIT.done, result };
}

/** How far the change came. */
interface Reached {
  readonly state: string;
  readonly release: number | null;
  readonly waitsFor: string;
}

/** Takes the change as far as the options ask and it allows. */
async function reach(line: CommandLine, api: ConsoleApi, change: NonNullable<Applied['change']>): Promise<Reached> {
  const at = `/api/changes/${change.number}`;
  const isUnsent = change.state === 'draft' || change.state === 'needs work';
  if (line.has('publish-when-approved') && change.state !== 'approved') {
    await api.send(`PUT ${at}/publish-when-approved`, Done, { publishWhenApproved: true });
  }
  if (line.has('submit') && isUnsent) await api.send(`POST ${at}/submit`, Done, {});
  const { row, contentHash } = await api.get(at, ChangeDetail);
  const asked = line.has('publish') || line.has('publish-when-approved');
  if (!asked || row.state !== 'approved') return { state: row.state, release: row.release, waitsFor: row.waitsFor };
  const published = await api.send(`POST ${at}/publish`, PublishedOrQueued, { contentHash });
  const state = published.release === null ? row.state : 'rolling out';
  return { state, release: published.release, waitsFor: published.waitsFor ?? '' };
}

const WORDS: Readonly<Record<Applied['outcome'], string>> = {
  'nothing to do': 'Nothing to do',
  opened: 'Opened',
  updated: 'Brought to the files',
  same: 'As it was',
};
