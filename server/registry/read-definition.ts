import 'server-only';
import { z } from 'zod';
import { Definition, DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { canSeeTraffic } from '#server/auth/rights.ts';
import { checkPolicies } from '#server/compile/check-policies.ts';
import { runPolicyTests } from '#server/compile/check-policy-tests.ts';
import { type Catalog, catalogOf } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import type { PolicyTestResult } from '#server/contract/changes.ts';
import { type DefinitionDetail, MAX_RELATED } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { managedBy, readManaged } from '#server/db/managed.ts';
import { readStored, readStoredOfTenant } from '#server/db/stored-sums.ts';
import { loadPublished } from '#server/publication/load-published.ts';
import { OPEN_STATES } from '#server/publication/outdate-overlaps.ts';
import { type DefinitionColumns, definitionRow } from './list-definitions.ts';
import { neighbourhoodOf } from './neighbours.ts';
import { relationsOf } from './relations.ts';
import { typeUsers } from './type-users.ts';
import { readUseOf } from './use-of-types.ts';

/** Path of one definition. */
export const DefinitionPath = z.object({ kind: DefinitionKind, name: z.string().min(1).max(64) });
type Path = z.infer<typeof DefinitionPath>;

const MAX_REVISIONS = 200;

/**
 * GET /api/definitions/{kind}/{name}: the published definition with its history, who may use it and what it touches.
 * Readable by everybody signed in; figures of traffic only where the asker may see them. A removed type is
 * answered as it was last, so that it can be restored; of other kinds `not_found` says in which release they went.
 */
export async function readDefinition(ctx: Ctx, path: Path): Promise<DefinitionDetail> {
  const row = await ctx.db.definition.findUnique({ where: { kind_name: path } });
  if (row === null) throw missing(`There is no ${path.name} in the registry.`);
  if (row.removed && !isTypeKind(path.kind)) {
    throw missing(`${path.name} was removed in r${row.releaseNumber} by ${row.changedByName}.`);
  }
  const definition = Definition.parse({ ...path, document: row.document });
  const catalog = catalogOf(await loadPublished(ctx.db));
  return {
    definition,
    row: definitionRow(row, (await readUseOf(ctx, [row])).get(row.name) ?? null),
    history: await readHistory(ctx.db, path),
    users: row.removed ? [] : await typeUsers(ctx, definition, catalog),
    removed: row.removed ? removalOf(row) : null,
    ...relatedTo(definition, catalog),
    ...(isTypeKind(path.kind) ? { neighbours: neighbourhoodOf(definition, catalog) } : {}),
    tests: testsOf(definition, catalog),
    ...(await readStoredOf(ctx, definition)),
    managedBy: managedBy((await readManaged(ctx.db, [path]))[0]),
    openChanges: await readOpenChanges(ctx.db, path),
  };
}

async function readStoredOf({ db, actor }: Ctx, definition: Definition): Promise<Pick<DefinitionDetail, 'stored'>> {
  const { kind, name } = definition;
  if (kind === 'tenant') {
    if (!canSeeTraffic(actor, definition.document.ownerTeam)) return {};
    const ofTenant = await readStoredOfTenant(db, name);
    return { stored: ofTenant === null ? null : { ...ofTenant, types: [...ofTenant.types] } };
  }
  if (!isTypeKind(kind)) return {};
  const stored = await readStored(db, name);
  if (stored === null) return { stored };
  const { asOfMs, count, bytes, largestBytes, longestList } = stored;
  const largest = kind === 'objectType' ? { largestBytes } : { longestList };
  return { stored: { asOfMs, types: [{ type: name, count, bytes }], ...largest } };
}

function relatedTo(definition: Definition, catalog: Catalog): Pick<DefinitionDetail, 'relatedTo' | 'relatedTotal'> {
  const all = relationsOf(definition, catalog);
  return { relatedTo: all.slice(0, MAX_RELATED), relatedTotal: all.length };
}

function testsOf(definition: Definition, catalog: Catalog): PolicyTestResult[] {
  if (definition.kind !== 'policy' || definition.document.tests === undefined) return [];
  const { policies } = checkPolicies(catalog, new Set());
  return [...runPolicyTests({ catalog, policies }, definition.name)];
}

async function readHistory(db: Reader, { kind, name }: Path): Promise<DefinitionDetail['history']> {
  const revisions = await db.definitionRevision.findMany({
    where: { kind, name },
    orderBy: { revision: 'desc' },
    take: MAX_REVISIONS,
  });
  return revisions.map((one) => ({
    revision: one.revision,
    release: one.releaseNumber,
    change: one.changeNumber,
    atMs: one.at.getTime(),
    author: { id: one.authorId, name: one.authorName },
    approvedBy: one.approvedById === null ? null : { id: one.approvedById, name: one.approvedByName ?? '' },
    selfApproved: one.selfApproved,
    reason: one.reason,
    document: one.document,
  }));
}

async function readOpenChanges(db: Reader, { kind, name }: Path): Promise<DefinitionDetail['openChanges']> {
  return db.change.findMany({
    where: { state: { in: OPEN_STATES }, edits: { some: { kind, name } } },
    select: { number: true, title: true, state: true },
    orderBy: { number: 'desc' },
    take: 50,
  });
}

function isTypeKind(kind: string): boolean {
  return kind === 'objectType' || kind === 'edgeType';
}

function removalOf(row: DefinitionColumns): DefinitionDetail['removed'] {
  const by = { id: row.changedById, name: row.changedByName };
  return { release: row.releaseNumber, by, atMs: row.changedAt.getTime() };
}

function missing(publicMessage: string): ServerError {
  return new ServerError('not_found', { publicMessage });
}
