import 'server-only';
import { z } from 'zod';
import { Sha256Hex } from '#gateway/contract/ids.ts';
import type { ReleaseId } from '#gateway/contract/release.ts';
import { compile } from '#server/compile/compile.ts';
import type { Sections } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import type { Finding } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson, dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { allReadParts } from './all-read-parts.ts';
import { buildRelease } from './build-release.ts';
import { endRollout } from './end-rollout.ts';
import { refuseFrozen } from './freeze.ts';
import { outdateOverlaps } from './outdate-overlaps.ts';
import type { PublishRequest } from './publish-request.ts';
import { forgetQueuedKeys } from './queue.ts';
import { rolloutWords } from './rollout-words.ts';
import { settleRollback } from './settle-rollback.ts';
import { startRollout } from './start-rollout.ts';
import { differing, overlay, readStartingPoint } from './starting-point.ts';
import { writeDefinitions } from './write-definitions.ts';
import { writeSections } from './write-sections.ts';

/** Serialises publishing over all console processes; any number will do as long as nothing else uses it. */
const PUBLISH_LOCK = 4_217_001;

export interface PublishedRelease {
  readonly number: number;
  readonly sha256: string;
}

/**
 * Takes the publishing lock until the transaction ends. To be called before any row of a change is locked or read, so
 * that two publishers never wait for one another in a circle and the second sees what the first wrote.
 */
export async function lockPublishing(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PUBLISH_LOCK})`;
}

/** The same for work that may as well be done later: answers false at once while somebody publishes. */
export async function tryLockPublishing(tx: Tx): Promise<boolean> {
  const rows = await tx.$queryRaw`SELECT pg_try_advisory_xact_lock(${PUBLISH_LOCK}) AS taken`;
  return z.array(z.object({ taken: z.boolean() })).parse(rows)[0]?.taken === true;
}

/**
 * Makes the next release inside `tx`, under `lockPublishing`: compiles the published definitions with the edits laid over,
 * signs, writes release, sections, definitions and revisions, marks other open changes that touch the same definitions as
 * outdated, and wakes the gateways at commit. An emergency ends an open rollout and starts from what gateways had before
 * it; anything else starts a rollout of its own where stages are on. Refuses with `blocked_by_findings`,
 * `publishing_frozen`, and `wrong_state` during a rollout (callers queue instead). Writes no audit row: the act that
 * publishes has its own.
 */
export async function publishRelease(
  tx: Tx,
  ctx: Pick<Ctx, 'nowMs' | 'signer'>,
  request: PublishRequest,
): Promise<PublishedRelease> {
  if (request.narrows !== true) await refuseFrozen(tx);
  const from = await readStartingPoint(tx, ctx.nowMs);
  if (from.rollout !== null && !request.emergency) {
    throw new ServerError('wrong_state', { publicMessage: `It waits for ${rolloutWords(from.rollout)}.` });
  }
  const isOwn = from.restore.length === 0;
  const edits = isOwn ? request.edits : differing(from.surroundings.published, overlay(from.restore, request.edits));
  const { sections, findings, definitions, effects } = compile({ ...from.surroundings, edits });
  if (sections === null) throw blocked(findings);
  const release = await insertRelease(tx, ctx, { request, sections });
  const all = { ...request, edits };
  await writeDefinitions(tx, { request: all, definitions, release: release.number, nowMs: ctx.nowMs });
  await outdateOverlaps(tx, { edits, changeNumber: request.changeNumber, nowMs: ctx.nowMs });
  if (request.rollback) {
    await settleRollback(tx, { release: release.number, rollback: request.rollback, nowMs: ctx.nowMs });
  }
  if (from.rollout !== null) {
    await endRollout(tx, { rollout: from.rollout, by: request, release: release.number, nowMs: ctx.nowMs });
  }
  const narrows = effects.some(({ tone }) => tone === 'narrows');
  await startRollout(tx, { request: all, release: release.number, narrows, nowMs: ctx.nowMs });
  await forgetQueuedKeys(tx);
  await notify(tx, 'releases', 'shell', 'changes', 'inbox', 'gateways');
  return release;
}

async function insertRelease(
  tx: Tx,
  ctx: Pick<Ctx, 'nowMs' | 'signer'>,
  { request, sections }: { readonly request: PublishRequest; readonly sections: Sections },
): Promise<PublishedRelease> {
  const { id, previous } = await nextRelease(tx);
  const inParts = await allReadParts(tx, ctx.nowMs);
  const built = await buildRelease({ id, previous, sections, inParts, createdAtMs: ctx.nowMs, signer: ctx.signer });
  const { header } = built;
  await writeSections(tx, built.sections);
  await tx.release.create({
    data: {
      ...id,
      sha256: header.sha256,
      previous,
      createdAt: new Date(ctx.nowMs),
      byId: request.by.id,
      byName: request.by.name,
      approvedById: request.approvedBy?.id ?? null,
      approvedByName: request.approvedBy?.name ?? null,
      selfApproved: request.selfApproved,
      cause: request.cause,
      reason: request.reason,
      changeNumber: request.changeNumber,
      emergency: request.emergency,
      formatVersion: header.formatVersion,
      minGatewayVersion: header.minGatewayVersion,
      signingKeyId: ctx.signer.kid,
      header: dbJsonValue(header),
      rollback: dbJson(request.rollback),
    },
  });
  return { number: id.number, sha256: header.sha256 };
}

async function nextRelease(tx: Tx): Promise<{ readonly id: ReleaseId; readonly previous: Sha256Hex | null }> {
  const setting = await tx.setting.findUnique({ where: { key: 'epoch' } });
  const epoch = z
    .int()
    .min(1)
    .parse(setting?.value ?? 1);
  const last = await tx.release.findFirst({ orderBy: { number: 'desc' }, select: { number: true, sha256: true } });
  return {
    id: { epoch, number: (last?.number ?? 0) + 1 },
    previous: last === null ? null : Sha256Hex.parse(last.sha256),
  };
}

function blocked(findings: readonly Finding[]): ServerError {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const more = errors.length > 1 ? ` ${errors.length - 1} more block it.` : '';
  return new ServerError('blocked_by_findings', {
    publicMessage: first === undefined ? 'A finding blocks it.' : `${first.name}: ${first.message}${more}`,
    fields: Object.fromEntries(errors.map(({ kind, name, path, message }) => [`${kind}/${name}/${path}`, message])),
  });
}
