import { handle } from '#server/http/handle.ts';
import { ReleasePath, readRelease } from '#server/releases/read-release.ts';

export const GET = handle(ReleasePath, readRelease);
