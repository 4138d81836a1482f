import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { actOnChange, require, settleContent } from './act-on-change.ts';
import { mayEditNow } from './permissions.ts';
import { recordEditing } from './record-editing.ts';
import type { EditPath } from './save-edit.ts';

/** DELETE /api/changes/{number}/edits/{kind}/{name}: takes an edit out of the change. Refuses with `not_found`. */
export function removeEdit(ctx: Ctx, input: z.infer<typeof EditPath>): Promise<object> {
  return actOnChange(ctx, input.number, async (locked) => {
    const { tx, standing, reviewers } = locked;
    require(mayEditNow(standing, ctx.actor, reviewers));
    const { change } = standing;
    const edit = change.edits.find(({ kind, name }) => kind === input.kind && name === input.name);
    if (edit === undefined) {
      throw new ServerError('not_found', { publicMessage: `∆${input.number} has no edit of ${input.name}.` });
    }
    await tx.changeEdit.delete({
      where: { changeNumber_kind_name: { changeNumber: change.number, kind: edit.kind, name: edit.name } },
    });
    await settleContent(
      locked,
      change.edits.filter((one) => one !== edit),
      ctx.nowMs,
    );
    await recordEditing(tx, ctx, { change, edit: { ...edit, document: null } });
    return {};
  });
}
