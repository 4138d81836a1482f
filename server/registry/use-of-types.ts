import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { DefinitionRow } from '#server/contract/definitions.ts';
import { readCosts } from '#server/db/evidence.ts';
import { lastUseOf } from '#server/db/usage.ts';

export type TypeUse = NonNullable<DefinitionRow['use']>;

/** Costs are of this long: long enough to be steady, short enough to be of now. */
const COST_MS = 7 * 86_400_000;

/** When each type was last asked for and what its operations cost, by name. Two queries, whatever the number of types. */
export async function readUseOf(
  { db, nowMs }: Pick<Ctx, 'db' | 'nowMs'>,
  definitions: readonly { readonly kind: string; readonly name: string }[],
): Promise<ReadonlyMap<string, TypeUse>> {
  const names = definitions.filter(({ kind }) => kind === 'objectType' || kind === 'edgeType').map(({ name }) => name);
  if (names.length === 0) return new Map();
  const lastUses = await lastUseOf(db, names);
  const { costs } = await readCosts(db, names, nowMs - COST_MS);
  return new Map(
    names.map((name): [string, TypeUse] => [
      name,
      {
        lastUsedMs: lastUses.get(name) ?? null,
        cost: costs
          .filter(({ type }) => type === name)
          .map(({ operation, ru, requests, cacheHits, cacheMisses }) => {
            const asked = cacheHits + cacheMisses;
            return { operation, ru: ru / requests, requests, cached: asked === 0 ? null : cacheHits / asked };
          }),
      },
    ]),
  );
}
