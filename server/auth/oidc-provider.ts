import 'server-only';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { z } from 'zod';
import type { OidcEnv } from '#server/env.ts';

/** Claims of a signed-in person, from the id token and the userinfo endpoint together. */
export const OidcProfile = z.looseObject({
  iss: z.string().optional(),
  sub: z.string().min(1),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  email: z.string().optional(),
});
export type OidcProfile = z.infer<typeof OidcProfile>;

/**
 * The OpenID Connect issuer as next-auth takes it: authorization code with PKCE, state and nonce. Userinfo is asked as
 * well, since many issuers keep names and groups out of the id token.
 */
export async function oidcProvider(oidc: OidcEnv): Promise<OAuthConfig<OidcProfile>> {
  return {
    id: 'oidc',
    name: oidc.displayName,
    type: 'oauth',
    wellKnown: wellKnownOf(oidc.issuer),
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope: oidc.scopes ?? (await usualScopes(oidc.issuer)) } },
    userinfo: {
      request: async ({ tokens, client }) => {
        const claims = tokens.id_token === undefined ? {} : decodeClaims(tokens.id_token);
        const { userinfo_endpoint: endpoint } = client.issuer.metadata;
        if (endpoint === undefined || tokens.access_token === undefined) return claims;
        return { ...claims, ...(await client.userinfo(tokens.access_token)) };
      },
    },
    profile: (claims) => {
      const profile = OidcProfile.parse(claims);
      return { id: profile.sub, name: nameOf(profile), email: profile.email ?? null };
    },
  };
}

/** How a person is called on pages. */
export function nameOf(profile: OidcProfile): string {
  return profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub;
}

/** The groups that a claim names: a list of strings, or one string. */
export function groupsOf(profile: OidcProfile, claim: string): readonly string[] {
  const value = profile[claim];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((group): group is string => typeof group === 'string').slice(0, 500) : [];
}

function wellKnownOf(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`;
}

const Metadata = z.looseObject({ scopes_supported: z.array(z.string()).optional() });

/** Some issuers refuse a scope they do not know, so `groups` is asked for only where it is listed. */
async function usualScopes(issuer: string): Promise<string> {
  const usual = 'openid profile email';
  try {
    const reply = await fetch(wellKnownOf(issuer), { signal: AbortSignal.timeout(5_000) });
    const { scopes_supported: scopes = [] } = Metadata.parse(await reply.json());
    return scopes.includes('groups') ? `${usual} groups` : usual;
  } catch {
    // An issuer out of reach fails the sign-in itself, a moment later, with next-auth's own words.
    return usual;
  }
}

/** The id token's payload. Its signature and nonce were checked before this is called. */
function decodeClaims(idToken: string): object {
  const payload = idToken.split('.')[1] ?? '';
  return z.looseObject({}).parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
}
