import { SectionsWanted } from '#gateway/contract/machine-api.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { readReleaseSections } from '#server/gateways/read-release.ts';

export const POST = handleMachine(SectionsWanted, readReleaseSections);
