import { handleMachine } from '#server/gateways/handle-machine.ts';
import { readReleaseSection, Sha256Param } from '#server/gateways/read-release.ts';

export const GET = handleMachine(Sha256Param, readReleaseSection);
