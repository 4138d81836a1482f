import type { FaultEffect } from '#gateway/contract/local-cosmos.ts';
import { CosmosError, RATE_IS_LARGE, THROTTLED_RU } from '#gateway/emulator/errors.ts';
import { type CosmosReply, reply, replyToError } from '#gateway/emulator/http/cosmos-reply.ts';
import { bodyJson, type CosmosRequest } from '#gateway/emulator/http/cosmos-request.ts';
import { parseBatch } from '#gateway/emulator/items/run-batch.ts';

/** What the service says with a status that comes about on its side. */
const WORDS: Readonly<Record<string, string>> = {
  '403/3': 'The requested operation cannot be performed at this region.',
  '404/1002': 'The read session is not available for the input session token.',
  408: 'The request timed out on the server.',
  410: 'The requested resource is no longer available at the server.',
  429: RATE_IS_LARGE,
  449: 'Conflicting request to resource has been attempted. Retry to avoid conflicts.',
  500: 'An unknown error occurred while processing this request.',
  503: 'The service is temporarily unavailable. Retry the request.',
};

const wordsOf = (status: number, subStatus: number): string =>
  WORDS[`${status}/${subStatus}`] ?? WORDS[status] ?? `The request was answered ${status}.`;

/** A refusal of the service, in its own shape. */
export function statusReply(effect: Extract<FaultEffect, { kind: 'status' }>): CosmosReply {
  const { status, subStatus, retryAfterMs } = effect;
  return replyToError(
    new CosmosError(status, wordsOf(status, subStatus), {
      subStatus,
      charge: status === 429 ? THROTTLED_RU : 1,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    }),
  );
}

/** A batch that one operation rolled back. The last operation stands in for an index beyond the end. */
export function rolledBackReply(
  request: CosmosRequest,
  effect: Extract<FaultEffect, { kind: 'batchStatus' }>,
): CosmosReply {
  const count = parseBatch(bodyJson(request)).length;
  const at = Math.min(effect.index, count - 1);
  const { status, retryAfterMs } = effect;
  const refused = {
    statusCode: status,
    requestCharge: 1,
    ...(status === 429 ? { subStatusCode: 3200 } : {}),
    ...(retryAfterMs === null ? {} : { retryAfterMilliseconds: retryAfterMs }),
    message: wordsOf(status, 0),
  };
  const results = Array.from({ length: count }, (_, index) =>
    index === at ? refused : { statusCode: 424, requestCharge: 0 },
  );
  return reply(207, JSON.stringify(results));
}
