/** The part of oidc-provider 9 that the sign-in test uses; the package ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Account {
    readonly accountId: string;
    claims(): Promise<Readonly<Record<string, unknown>>>;
  }

  interface Configuration {
    readonly clients: readonly {
      readonly client_id: string;
      readonly client_secret: string;
      readonly redirect_uris: readonly string[];
      readonly grant_types: readonly string[];
    }[];
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly conformIdTokenClaims: boolean;
    readonly scopes: readonly string[];
    readonly cookies: { readonly keys: readonly string[] };
    readonly findAccount: (context: unknown, id: string) => Promise<Account>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
  }
}
