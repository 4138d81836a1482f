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
/** After a failure nobody is asked again for so long while a token is still valid, and for so long when none is. */
const RETRY_RENEWAL_MS = 30_000;
const RETRY_FIRST_MS = 1_000;
const FETCH_TIMEOUT_MS = 15_000;

/** Tokens of one account: kept until shortly before they expire, renewed in the background, one request in flight. */
export function createEntraTokens(options: EntraTokensOptions): EntraTokens {
  const { now } = options;
  let token: AccessToken | null = null;
  let fetching: Promise<void> | null = null;
  let failure: { readonly error: BrokenAttempt; readonly atMs: number } | null = null;

  /** Never rejects: whoever waits looks at `token` and `failure` afterwards. */
  function renew(): Promise<void> {
    fetching ??= options
      .fetch(AbortSignal.timeout(FETCH_TIMEOUT_MS))
      .then((fresh) => {
        token = fresh;
        failure = null;
      })
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        failure = { error: new BrokenAttempt(`Entra ID gave no token: ${reason}`, false, error), atMs: now() };
      })
      .finally(() => {
        fetching = null;
      });
    return fetching;
  }

  const hasWaited = (ms: number) => failure === null || now() - failure.atMs >= ms;
  const usable = () => (token !== null && now() < token.expiresOnTimestamp - UNUSABLE_BEFORE_MS ? token : null);

  return {
    async authorization(signal) {
      const held = usable();
      if (held !== null) {
        const renewAtMs = held.refreshAfterTimestamp ?? held.expiresOnTimestamp - RENEW_BEFORE_MS;
        if (now() >= renewAtMs && hasWaited(RETRY_RENEWAL_MS)) void renew();
        return headerOf(held);
      }
      if (hasWaited(RETRY_FIRST_MS)) await untilAborted(renew(), signal);
      const fresh = usable();
      if (fresh !== null) return headerOf(fresh);
      throw failure?.error ?? new BrokenAttempt('Entra ID gave a token that has expired; is the clock right?', false);
    },
  };
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
