import 'server-only';
import { z } from 'zod';
import { ReleaseHeader } from '#gateway/contract/release.ts';
import type { Ctx } from '#server/context.ts';
import { Edit } from '#server/contract/changes.ts';
import type { ReleaseDetail } from '#server/contract/releases.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { readStoredChange } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import { readRollout, type StoredRollout } from '#server/db/rollout.ts';
import { readReleaseStandings, releaseStanding } from '#server/publication/release-standing.ts';
import { readFirstRequest, spineOfChange, spineOfRelease } from '#server/publication/spine.ts';
import { readAnswers } from './gateway-answers.ts';
import { releaseColumns, rowOf } from './release-row.ts';
import { mayRollBack, mayRunReleases } from './rollback-rights.ts';
import { viewRollout } from './view-rollout.ts';

/** The number in the path. */
export const ReleasePath = z.object({ number: z.coerce.number().int().min(1).max(2_147_483_647) });

/**
 * GET /api/releases/{number}: what it changed, what was signed, what each gateway answered, and how it came to be. Readable
 * by everybody signed in.
 */
export async function readRelease(ctx: Ctx, { number }: z.infer<typeof ReleasePath>): Promise<ReleaseDetail> {
  const { db, nowMs } = ctx;
  const release = await db.release.findUnique({
    where: { number },
    select: { ...releaseColumns, epoch: true, header: true, signingKeyId: true },
  });
  if (release === null) throw new ServerError('not_found', { publicMessage: `There is no release r${number}.` });
  const header = ReleaseHeader.parse(release.header);
  const standings = await readReleaseStandings(db, nowMs);
  const before = await readSections(db, number - 1);
  const standing = releaseStanding(release, standings, nowMs);
  const rollout = await readRollout(db, number);
  const firstRequest = await readFirstRequest(db, number);
  const end = { release, standing, firstRequest, turns: rollout?.turns ?? [] };
  const change = release.changeNumber === null ? null : await readStoredChange(db, release.changeNumber);
  return {
    row: rowOf(release, standings, nowMs),
    sha256: header.sha256,
    previous: header.previous,
    signingKeyId: release.signingKeyId,
    formatVersion: header.formatVersion,
    sections: header.sections.map(({ kind, sha256, bytes }) => ({ kind, sha256, bytes, changed: !before.has(sha256) })),
    gateways: await readAnswers(db, { release, standings }),
    edits: await readEdits(db, number),
    spine: change === null ? spineOfRelease(end) : spineOfChange(change, end),
    rollout: rollout === null ? null : await viewRollout(ctx, rollout),
    may: mayOf(ctx, { release, authorId: change?.authorId ?? null, rollout }),
  };
}

function mayOf(
  { actor }: Ctx,
  about: {
    readonly release: { readonly number: number; readonly byId: string; readonly approvedById: string | null };
    readonly authorId: string | null;
    readonly rollout: StoredRollout | null;
  },
): ReleaseDetail['may'] {
  const { release, authorId, rollout } = about;
  const move = mayRunReleases(actor, 'move a rollout');
  const only = (may: boolean, why: string) => (may ? move : { may: false, why });
  const isOpen = rollout?.state === 'rolling' || rollout?.state === 'halted';
  return {
    rollBack: mayRollBack(actor, 'undo', { ...release, authorId }),
    promote: only(isOpen, 'It does not go out in stages now.'),
    halt: only(rollout?.state === 'rolling', 'It does not go out in stages now.'),
    resume: only(rollout?.state === 'halted', 'It is not halted.'),
  };
}

async function readSections(db: Reader, number: number): Promise<ReadonlySet<string>> {
  const release = await db.release.findUnique({ where: { number }, select: { header: true } });
  if (release === null) return new Set();
  return new Set(ReleaseHeader.parse(release.header).sections.map(({ sha256 }) => sha256));
}

/** What the release did to definitions: its revisions, each beside the one before. */
async function readEdits(db: Reader, number: number): Promise<Edit[]> {
  const revisions = await db.definitionRevision.findMany({
    where: { releaseNumber: number },
    orderBy: [{ kind: 'asc' }, { name: 'asc' }],
  });
  const earlier = await db.definitionRevision.findMany({
    where: { OR: revisions.map(({ kind, name, revision }) => ({ kind, name, revision: revision - 1 })) },
  });
  return revisions.map(({ kind, name, revision, document }) => {
    const base = earlier.find((one) => one.kind === kind && one.name === name)?.document ?? null;
    const act = document === null ? 'remove' : base === null ? 'add' : 'edit';
    return Edit.parse({ kind, name, act, document, base, baseRevision: revision - 1, version: 1 });
  });
}
