import { createChange } from '#server/changes/create-change.ts';
import { publishChange } from '#server/changes/publish-change.ts';
import { readChange } from '#server/changes/read-change.ts';
import { reviewChange } from '#server/changes/review-change.ts';
import { saveEdit } from '#server/changes/save-edit.ts';
import { submitChange } from '#server/changes/submit-change.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import { warningKey } from '#server/contract/changes.ts';
import type { TestConsole } from '#test/server/console.ts';

/** The acts of a change as tests of several verbs need them, each by a named demo user. */
export function changeActs(console: TestConsole) {
  const acts = {
    open: async (who: string, title = 'A change of a test') =>
      (await createChange(await console.as(who), { title, reason: 'For a test.', link: null })).number,
    save: async (who: string, number: number, edit: DraftEdit, version = 0) =>
      saveEdit(await console.as(who), {
        number,
        kind: edit.kind,
        name: edit.name,
        document: edit.document as Record<string, unknown> | null,
        version,
      }),
    submit: async (who: string, number: number) => submitChange(await console.as(who), { number }),
    read: async (who: string, number: number) => readChange(await console.as(who), { number }),
    review: async (who: string, number: number, verdict: 'approved' | 'needs work' = 'approved', comment = '') => {
      const { contentHash, findings } = await acts.read(who, number);
      const ticked = findings.filter(({ severity }) => severity === 'warning').map(warningKey);
      return reviewChange(await console.as(who), { number, verdict, comment, ticked, contentHash });
    },
    publish: async (who: string, number: number) => {
      const { contentHash } = await acts.read(who, number);
      const { release } = await publishChange(await console.as(who), { number, contentHash });
      if (release === null) throw new Error(`∆${number} waits in the queue`);
      return { release };
    },
    /** Publishes where a rollout may be open: answers what it waits for. */
    publishOrQueue: async (who: string, number: number) => {
      const { contentHash } = await acts.read(who, number);
      return publishChange(await console.as(who), { number, contentHash });
    },
    /** Opens a change with these edits and takes it to approval, types being reviewed by Bo. */
    approved: async (edits: readonly DraftEdit[], reviewers: readonly string[] = ['bo']) => {
      const number = await acts.open('ana');
      for (const edit of edits) await acts.save('ana', number, edit);
      await acts.submit('ana', number);
      for (const reviewer of reviewers) await acts.review(reviewer, number);
      return number;
    },
  };
  return acts;
}
