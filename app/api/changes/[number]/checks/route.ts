import { BeginChecksInput, beginChecks } from '#server/changes/begin-checks.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(BeginChecksInput, beginChecks);
