import { TryAgain } from '#server/contract/background.ts';
import { tryAgain } from '#server/gateways/try-again.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(TryAgain, tryAgain);
