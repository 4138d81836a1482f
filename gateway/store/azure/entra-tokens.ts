import type { AccessToken } from '@azure/identity';
import { BrokenAttempt } from '#gateway/store/http/broken-attempt.ts';
import type { FetchEntraToken } from './fetch-entra-token.ts';

export interface EntraTokensOptions {
  readonly fetch: FetchEntraToken;
  readonly now: () => number;
}

export interface EntraTokens {
  /**
   * The value of the `authorization` header, before its URL encoding. Waits only when no valid token is at hand, at most
   * until `signal` aborts. Rejects with `BrokenAttempt`: no byte of the request was sent.
   */
  authorization(signal: AbortSignal | undefined): Promise<string>;
}

/** A token is renewed this long before it expires, in the background. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** A token that expires sooner is not sent: the request may be under way, and clocks differ. */
const UNUSABLE_BEFORE_MS = 30_000;
/** Between two requests to Entra ID while a token is valid (it may well give the old one again), and while none is. */
const RENEWAL_PAUSE_MS = 30_000;
const FAILURE_PAUSE_MS = 1_000;
const FETCH_TIMEOUT_MS = 15_000;

/** Tokens of one account: kept until shortly before they expire, renewed in the background, one request in flight. */
export function createEntraTokens(options: EntraTokensOptions): EntraTokens {
  const { now } = options;
  let token: AccessToken | null = null;
  let failure: BrokenAttempt | null = null;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  /** Never rejects: whoever waits looks at `token` and `failure` afterwards. */
  function ask(): Promise<void> {
    asking ??= options
      .fetch(AbortSignal.timeout(FETCH_TIMEOUT_MS))
      .then((fresh) => {
        token = fresh;
        failure = null;
      })
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        failure = new BrokenAttempt(`Entra ID gave no token: ${reason}`, false, error);
      })
      .finally(() => {
        askedAtMs = now();
        asking = null;
      });
    return asking;
  }

  const usable = () => (token !== null && now() < token.expiresOnTimestamp - UNUSABLE_BEFORE_MS ? token : null);
  const hasPaused = (ms: number) => now() - askedAtMs >= ms;

  return {
    async authorization(signal) {
      const held = usable();
      if (held !== null) {
        if (now() >= renewAtMs(held) && hasPaused(RENEWAL_PAUSE_MS)) void ask();
        return headerOf(held);
      }
      if (failure === null || hasPaused(FAILURE_PAUSE_MS)) await untilAborted(ask(), signal);
      const fresh = usable();
      if (fresh !== null) return headerOf(fresh);
      throw failure ?? new BrokenAttempt('Entra ID gave a token that has expired; is the clock right?', false);
    },
  };
}

function renewAtMs(token: AccessToken): number {
  return token.refreshAfterTimestamp ?? token.expiresOnTimestamp - RENEW_BEFORE_MS;
}

/** https://learn.microsoft.com/rest/api/cosmos-db/access-control-on-cosmosdb-resources */
function headerOf(token: AccessToken): string {
  return `type=aad&ver=1.0&sig=${token.token}`;
}

async function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new BrokenAttempt('Entra ID gave no token in time.', false));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
