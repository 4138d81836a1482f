import type { AccessToken, TokenCredential } from '@azure/identity';

/** The audience of every account in the public cloud; an account's own name is tried first, since it works in all clouds. */
const ANY_ACCOUNT = 'https://cosmos.azure.com/.default';
/** Entra ID knows no resource of the account's name. */
const NO_SUCH_RESOURCE = 'AADSTS500011';

/** Asks Entra ID once; rejects with one sentence that says what to set. */
export type FetchEntraToken = (signal: AbortSignal) => Promise<AccessToken>;

/**
 * Tokens for an account and the identity that the environment names. The library is loaded when the first token is
 * needed, since most installations never need it.
 */
export function createFetchEntraToken(endpoint: string): FetchEntraToken {
  const accountScope = `${new URL(endpoint).origin}/.default`;
  let loading: Promise<TokenCredential> | null = null;

  async function fetch(): Promise<AccessToken> {
    loading ??= loadCredential();
    const source = await loading;
    return ask(source, accountScope).catch((error: unknown) => {
      if (!textOf(error).includes(NO_SUCH_RESOURCE)) throw error;
      return ask(source, ANY_ACCOUNT);
    });
  }

  return async (signal) => {
    try {
      return await Promise.race([fetch(), abortOf(signal)]);
    } catch (error) {
      throw new Error(sentenceOf(error), { cause: error });
    }
  };
}

async function loadCredential(): Promise<TokenCredential> {
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}

async function ask(source: TokenCredential, scope: string): Promise<AccessToken> {
  const token = await source.getToken(scope);
  if (token === null) throw new Error('no identity is set up.');
  return token;
}

/** Rejects when the signal aborts: the library takes a signal, too, but heeds it in few of its ways. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The library lists, over many lines, every source that it tried; what Entra ID itself answered says more. */
function sentenceOf(error: unknown): string {
  const text = textOf(error);
  const answer = /AADSTS\d+:[^\n]*/.exec(text)?.[0];
  if (answer !== undefined) return answer.trim();
  if (isNamed(error, 'AbortError') || isNamed(error, 'TimeoutError')) return 'it did not answer in time.';
  if (isNamed(error, 'CredentialUnavailableError') || isNamed(error, 'AggregateAuthenticationError')) {
    return 'no identity is set up on this machine. Give it a managed identity, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET.';
  }
  return text.split('\n')[0] ?? text;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
