import 'server-only';
import type { Definition, DefinitionKind, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { compile } from '#server/compile/compile.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import type { Possible } from '#server/contract/changes.ts';
import type { NarrowingPreview } from '#server/contract/narrowing.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { wideningOf } from './publish-narrowing.ts';
import type { StartingPoint } from './starting-point.ts';

/** The published definition that a narrowing act starts from. Refuses with `not_found`. */
export function publishedIn<K extends DefinitionKind>(from: StartingPoint, kind: K, name: string): DefinitionOf<K> {
  const found = from.start.find(
    (definition: Definition): definition is DefinitionOf<K> => definition.kind === kind && definition.name === name,
  );
  if (found === undefined) throw new ServerError('not_found', { publicMessage: `There is no published ${name}.` });
  return found;
}

/** What an act would do and whether it only takes away. `right` is whether whoever asks may act at all. */
export function foreseeNarrowing(
  from: StartingPoint,
  { edit, right }: { readonly edit: DraftEdit; readonly right: Possible },
): Pick<NarrowingPreview, 'possible' | 'effects'> {
  const { effects, findings } = compile({ ...from.surroundings, published: from.start, edits: [edit] });
  if (!right.may) return { possible: right, effects: [...effects] };
  const [widening] = wideningOf(from, [edit]);
  if (widening !== undefined) {
    const why = `It would also widen: ${widening} Take it through a change.`;
    return { possible: { may: false, why }, effects: [...effects] };
  }
  const error = findings.find(({ severity }) => severity === 'error');
  const possible = error === undefined ? right : { may: false, why: `${error.name}: ${error.message}` };
  return { possible, effects: [...effects] };
}

/** Refuses what `foreseeNarrowing` says is not possible. */
export function refuseUnless({ may, why }: Possible, right: Possible): void {
  if (!right.may) throw new ServerError('not_permitted', { publicMessage: right.why });
  if (!may) throw new ServerError('wrong_state', { publicMessage: why });
}
