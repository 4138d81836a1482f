import { handle } from '#server/http/handle.ts';
import { RollbackReadInput, readOfRollback } from '#server/releases/read-of-rollback.ts';

export const POST = handle(RollbackReadInput, readOfRollback);
