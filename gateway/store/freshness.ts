import type { FreshnessPort } from '#gateway/pipeline/freshness-port.ts';
import type { SessionToken } from '#gateway/pipeline/store-port.ts';
import type { Account } from './account.ts';
import { partitionKeyOf } from './layout/keys.ts';
import { isNewer, splitHeader } from './session-tokens.ts';
import { rowOf } from './write-marks.ts';

/** Ranges that are told apart; of an account with more, sessions reach past the cache more often than they would have to. */
const MOST_RANGES = 10_000;

/** A token that every other one is ahead of. */
const NO_PROGRESS = '-1';

export function createFreshness({ tokens, writes }: Pick<Account, 'tokens' | 'writes'>): FreshnessPort {
  /** When a range was first heard of, so that one made by a split is not taken for another partition's. */
  const knownSinceMs = new Map<string, number>();

  function isElsewhere(range: string, filledAtMs: number, nowMs: number): boolean {
    const sinceMs = knownSinceMs.get(range);
    if (sinceMs === undefined && knownSinceMs.size < MOST_RANGES) knownSinceMs.set(range, nowMs);
    return sinceMs !== undefined && sinceMs < filledAtMs;
  }

  return {
    partitionOf: partitionKeyOf,
    rowOf,
    stateOf: (row) => writes.stateOf(row),
    leastOf: (pk, client) => tokens.forRead(pk, client) ?? '',
    progressOf(session, least) {
      const own = tokens.ownOf(session);
      if (least === null) return textOf(own);
      const known = new Map(splitHeader(least));
      return textOf(own.map(({ range }) => ({ range, token: known.get(range) ?? NO_PROGRESS })));
    },
    covers({ progress, atMs, isExact }, client, nowMs) {
      if (client.length === 0) return true;
      const reached = new Map(splitHeader(progress));
      return tokens.ownOf(client).every(({ range, token }) => {
        const there = reached.get(range);
        if (there !== undefined) return !isNewer(token, there);
        // A read is answered from one range. The range of another partition has nothing to say about it, but one that came
        // after it may be its own after a split.
        return isExact && reached.size > 0 && isElsewhere(range, atMs, nowMs);
      });
    },
    tokensOf: (progress) =>
      splitHeader(progress).flatMap(([range, token]) =>
        token === NO_PROGRESS ? [] : [{ ...tokens.names, range, token }],
      ),
  };
}

function textOf(session: readonly Pick<SessionToken, 'range' | 'token'>[]): string {
  return session.map(({ range, token }) => `${range}:${token}`).join(',');
}
