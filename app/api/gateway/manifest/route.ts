import { z } from 'zod';
import { awaitManifest } from '#server/gateways/await-manifest.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';

export const GET = handleMachine(z.object({}), awaitManifest);
