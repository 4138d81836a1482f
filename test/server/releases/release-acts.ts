import { moveOn } from '#server/changes/move-on.ts';
import type { RollbackMode } from '#server/contract/rollouts.ts';
import { previewRollback } from '#server/releases/preview-rollback.ts';
import { rollBackWith } from '#server/releases/roll-back.ts';
import type { TestConsole } from '#test/server/console.ts';

/** Acts on releases as tests of several verbs need them, each by a named demo user. */
export function releaseActs(console: TestConsole) {
  const rollBack = rollBackWith(moveOn);
  const acts = {
    newest: async () => (await console.db.release.findFirstOrThrow({ orderBy: { number: 'desc' } })).number,
    preview: async (who: string, mode: RollbackMode, number: number) =>
      previewRollback(await console.as(who), { mode, number }),
    rollBack: async (who: string, mode: RollbackMode, number: number) =>
      rollBack(await console.as(who), { mode, number, reason: 'It breaks the app.', newest: await acts.newest() }),
    /** The newest published documents by kind and name; removed ones are missing. */
    documents: async () => {
      const rows = await console.db.definition.findMany({ where: { removed: false } });
      return Object.fromEntries(rows.map(({ kind, name, document }) => [`${kind} ${name}`, document]));
    },
  };
  return acts;
}
