import type { Outcome, Run } from '#server/cli/command.ts';
import type { ConsoleApi } from '#server/cli/console-api.ts';
import { EXIT } from '#server/cli/exit.ts';
import type { Problem } from '#server/cli/files/problem.ts';
import { Done } from '#server/contract/api/api-route.ts';
import type { Applied } from '#server/contract/as-code.ts';
import { ChangeDetail } from '#server/contract/changes.ts';
import { Published } from '#server/contract/definitions.ts';

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
  const url = `${api.url}/changes/${change.number}`;
  say(`${WORDS[outcome]}: ∆${change.number}, ${change.edits === 1 ? '1 edit' : `${change.edits} edits`}.`);
  const isUnsent = change.state === 'draft' || change.state === 'needs work';
  if (line.has('submit') && isUnsent) await api.post(`/api/changes/${change.number}/submit`, Done, {});
  const { row, contentHash } = await api.get(`/api/changes/${change.number}`, ChangeDetail);
  const release =
    line.has('publish') && row.state === 'approved'
      ? (await api.post(`/api/changes/${change.number}/publish`, Published, { contentHash })).release
      : null;
  say(release === null ? `It is ${row.state}. ${row.waitsFor}` : `Published as r${release}.`);
  say(url);
  return {
    exit: EXIT.done,
    result: {
      source,
      outcome,
      change: {
        number: change.number,
        url,
        state: release === null ? row.state : 'rolling out',
        contentHash,
        edits: change.edits,
      },
      abandoned,
      release,
      problems,
    },
  };
}

const WORDS: Readonly<Record<Applied['outcome'], string>> = {
  'nothing to do': 'Nothing to do',
  opened: 'Opened',
  updated: 'Brought to the files',
  same: 'As it was',
};
