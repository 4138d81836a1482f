import 'server-only';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { canonicalJson } from '#gateway/contract/release.ts';
import { type DraftEdit, keyOf } from '#server/compile/model.ts';
import type { Reader } from '#server/db/client.ts';
import { readOpenRollout, type StoredRollout } from '#server/db/rollout.ts';
import { touchedSince } from './definitions-at.ts';
import { loadSurroundings, type Surroundings } from './load-definitions.ts';

/**
 * What an act that goes to all gateways at once starts from: the newest definitions, or, while a release goes out in
 * stages, those that gateways had before it.
 */
export interface StartingPoint {
  readonly surroundings: Surroundings;
  /** The rollout that the act ends. */
  readonly rollout: StoredRollout | null;
  /** Edits that take the newest definitions back to the start; none without a rollout. */
  readonly restore: readonly DraftEdit[];
  /** The definitions of the start. */
  readonly start: readonly Definition[];
}

export async function readStartingPoint(db: Reader, nowMs: number): Promise<StartingPoint> {
  const surroundings = await loadSurroundings(db, nowMs);
  const rollout = await readOpenRollout(db);
  if (rollout === null) return { surroundings, rollout, restore: [], start: surroundings.published };
  const restore = differing(surroundings.published, await touchedSince(db, rollout.baseNumber));
  return { surroundings, rollout, restore, start: applied(surroundings.published, restore) };
}

/** Edits that would change something, by kind and name; the others are as published. */
export function differing(published: readonly Definition[], edits: readonly DraftEdit[]): readonly DraftEdit[] {
  const documents = new Map(published.map((definition) => [keyOf(definition), definition.document]));
  return edits
    .filter((edit) => canonicalJson(documents.get(keyOf(edit)) ?? null) !== canonicalJson(edit.document))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** `over` laid over `under`: of two edits of one definition the one of `over` stays. */
export function overlay(under: readonly DraftEdit[], over: readonly DraftEdit[]): readonly DraftEdit[] {
  const taken = new Set(over.map(keyOf));
  return [...under.filter((edit) => !taken.has(keyOf(edit))), ...over];
}

/** Documents that were published once are valid, so they are definitions as they stand. */
function applied(published: readonly Definition[], edits: readonly DraftEdit[]): readonly Definition[] {
  const touched = new Set(edits.map(keyOf));
  const kept = published.filter((definition) => !touched.has(keyOf(definition)));
  return [...kept, ...edits.filter(({ document }) => document !== null).map((edit) => Definition.parse(edit))];
}
