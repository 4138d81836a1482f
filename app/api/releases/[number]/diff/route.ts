import { handle } from '#server/http/handle.ts';
import { CompareInput, compareReleases } from '#server/releases/compare-releases.ts';

export const GET = handle(CompareInput, compareReleases);
