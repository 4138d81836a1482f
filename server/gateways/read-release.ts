import 'server-only';
import { z } from 'zod';
import { Sha256Hex } from '#gateway/contract/ids.ts';
import type { SectionsWanted } from '#gateway/contract/machine-api.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { MachineCtx } from './handle-machine.ts';

/** The path parameter of both verbs. */
export const Sha256Param = z.object({ sha256: Sha256Hex });
type Sha256Input = z.infer<typeof Sha256Param>;

/** What a hash names never changes. */
const FOR_EVER = 'private, max-age=31536000, immutable';

/** GET /api/gateway/releases/{sha256}: the signed header of a release as JSON. Refuses with `not_found`. */
export async function readReleaseHeader(ctx: MachineCtx, { sha256 }: Sha256Input): Promise<Response> {
  const release = await ctx.db.release.findUnique({ where: { sha256 }, select: { header: true } });
  if (release === null) throw unknownHash('release', sha256);
  return Response.json(release.header, { headers: { 'Cache-Control': FOR_EVER, ETag: `"${sha256}"` } });
}

/** GET /api/gateway/sections/{sha256}: the bytes of a section exactly as they were hashed. Refuses with `not_found`. */
export async function readReleaseSection(ctx: MachineCtx, { sha256 }: Sha256Input): Promise<Response> {
  const section = await ctx.db.releaseSection.findUnique({ where: { sha256 }, select: { content: true } });
  if (section === null) throw unknownHash('section', sha256);
  return new Response(section.content, {
    headers: { 'Content-Type': 'application/json', 'Cache-Control': FOR_EVER, ETag: `"${sha256}"` },
  });
}

/**
 * POST /api/gateway/sections: many sections in one reply, framed as the contract says. A gateway that starts with nothing
 * asks for thousands; one round trip each would take it minutes. Refuses with `not_found` when one is unknown.
 */
export async function readReleaseSections(ctx: MachineCtx, { sha256 }: SectionsWanted): Promise<Response> {
  const sections = await ctx.db.releaseSection.findMany({
    where: { sha256: { in: sha256 } },
    select: { sha256: true, content: true },
  });
  const contents = new Map(sections.map((section) => [section.sha256, section.content]));
  const frames = sha256.flatMap((hash) => {
    const content = contents.get(hash);
    if (content === undefined) throw unknownHash('section', hash);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return [length, content];
  });
  return new Response(Buffer.concat(frames), {
    headers: { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' },
  });
}

function unknownHash(what: string, sha256: string): ServerError {
  return new ServerError('not_found', { publicMessage: `There is no ${what} ${sha256}.` });
}
