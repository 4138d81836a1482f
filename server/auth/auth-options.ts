import 'server-only';
import type { NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import type { Database } from '#server/db/client.ts';
import type { ConsoleEnv } from '#server/env.ts';
import { OidcProfile, oidcProvider } from './oidc-provider.ts';
import { findDemoUser, recordSignIn, upsertOidcUser } from './users.ts';

/** A session ends this long after the last sign-in or use, seconds. */
const SESSION_SECONDS = 12 * 3_600;

interface AuthInput {
  readonly db: Database;
  readonly env: ConsoleEnv;
  readonly now: () => number;
}

/**
 * next-auth's configuration. The session is an encrypted cookie that says who, never what they may: rights are read from
 * the database at each request. Demo users exist only in the embedded default, and never beside an OIDC issuer.
 */
export async function authOptions({ db, env, now }: AuthInput): Promise<NextAuthOptions> {
  const { oidc } = env;
  return {
    secret: env.authSecret,
    useSecureCookies: env.consoleUrl.startsWith('https://'),
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [
      ...(oidc === undefined ? [] : [await oidcProvider(oidc)]),
      ...(offersDemoUsers(env) ? [demoProvider(db)] : []),
    ],
    callbacks: {
      // `account` is present at a sign-in only; later calls renew the cookie.
      jwt: async ({ token, account, user, profile }) => {
        if (account === null || account === undefined) return token;
        const userId =
          account.provider === 'oidc' && oidc !== undefined
            ? await upsertOidcUser(db, { oidc, profile: OidcProfile.parse(profile), nowMs: now() })
            : user.id;
        await recordSignIn(db, { userId, by: account.provider, nowMs: now() });
        return { sub: userId };
      },
      // Pages ask /api/me, which reads the rights of the moment; next-auth's own session endpoint says nothing more.
      session: ({ session }) => ({ expires: session.expires }),
    },
  };
}

/** Whether anybody may sign in as a demo user here. */
export function offersDemoUsers(env: Pick<ConsoleEnv, 'isEmbedded' | 'oidc'>): boolean {
  return env.isEmbedded && env.oidc === undefined;
}

function demoProvider(db: Database) {
  return CredentialsProvider({
    id: 'demo',
    name: 'Demo user',
    credentials: { userId: { type: 'text' } },
    authorize: async (credentials) => {
      const user = credentials === undefined ? null : await findDemoUser(db, credentials.userId);
      return user === null ? null : { id: user.id, name: user.name };
    },
  });
}
