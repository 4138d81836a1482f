import { OverrideFindingInput, overrideFinding } from '#server/changes/override-finding.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(OverrideFindingInput, overrideFinding);
