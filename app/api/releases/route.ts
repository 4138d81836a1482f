import { ReleaseQuery } from '#server/contract/releases.ts';
import { handle } from '#server/http/handle.ts';
import { listReleases } from '#server/releases/list-releases.ts';

export const GET = handle(ReleaseQuery, listReleases);
