import { handle } from '#server/http/handle.ts';
import { DenialsInput, readDenials } from '#server/releases/read-denials.ts';

export const GET = handle(DenialsInput, readDenials);
