import { BackgroundQuery } from '#server/contract/background.ts';
import { listBackground } from '#server/gateways/list-background.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(BackgroundQuery, listBackground);
