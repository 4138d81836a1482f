import 'server-only';
import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { authOptions } from '#server/auth/auth-options.ts';
import { installation } from './installation.ts';

/** Every request under /api/auth: sign-in, callback, sign-out, session, CSRF token. */
export async function authRoute(
  request: NextRequest,
  route: { readonly params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { db, env, now } = await installation();
  return NextAuth(request, route, await authOptions({ db, env, now }));
}
