import 'server-only';
import { offersDemoUsers } from '#server/auth/auth-options.ts';
import { type DemoUser, listDemoUsers } from '#server/auth/users.ts';
import { installation } from './installation.ts';

/** The ways in that the sign-in page offers. */
export interface SignInOptions {
  readonly installationName: string;
  /** next-auth's provider id is `oidc`. */
  readonly oidc: { readonly displayName: string } | null;
  /** `signIn('demo', {userId})`; empty except in the embedded default. */
  readonly demoUsers: readonly DemoUser[];
  /** Whether somebody becomes admin by a group of the issuer. */
  readonly hasAdminGroup: boolean;
}

/** For the sign-in page, which nobody has a session for yet. Says nothing that a stranger may not know. */
export async function readSignInOptions(): Promise<SignInOptions> {
  const { db, env } = await installation();
  return {
    installationName: env.installationName,
    oidc: env.oidc === undefined ? null : { displayName: env.oidc.displayName },
    demoUsers: offersDemoUsers(env) ? await listDemoUsers(db) : [],
    hasAdminGroup: env.adminGroup !== undefined,
  };
}
