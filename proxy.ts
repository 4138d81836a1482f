import { type NextRequest, NextResponse } from 'next/server';
import { getToken } from 'next-auth/jwt';

/** Pages only: the API answers for itself, files under _next carry no policy. */
export const config = {
  matcher: [
    {
      source: '/((?!api/|_next/static|_next/image|icon.svg|favicon.ico|healthz|readyz).*)',
      missing: [
        { type: 'header', key: 'next-router-prefetch' },
        { type: 'header', key: 'purpose', value: 'prefetch' },
      ],
    },
  ],
};

const SIGN_IN = '/sign-in';

/**
 * Before every page: a fresh nonce in a strict content security policy, and the way to the sign-in page for whoever has
 * no session. It only looks whether there is a session; rights are checked in the verbs, at each request.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const { pathname, search } = request.nextUrl;
  if (pathname !== SIGN_IN && !(await hasSession(request))) {
    const target = new URL(SIGN_IN, request.nextUrl);
    if (pathname !== '/') target.searchParams.set('callbackUrl', pathname + search);
    return withPolicy(NextResponse.redirect(target), policy);
  }
  const headers = new Headers(request.headers);
  // Next reads the nonce from the request's policy and puts it on its own scripts and styles.
  headers.set('content-security-policy', policy);
  return withPolicy(NextResponse.next({ request: { headers } }), policy);
}

/** The page's policy. Inline style attributes are allowed (charts and menus place things with them), inline styles and scripts are not. */
export function contentSecurityPolicy(nonce: string, isDev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ''}`,
    isDev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDev ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function hasSession(request: NextRequest): Promise<boolean> {
  const secret = process.env.NEXTAUTH_SECRET;
  if (secret === undefined)
    throw new Error('NEXTAUTH_SECRET is not set: start the console with `npm start`, or set it.');
  return (await getToken({ req: request, secret })) !== null;
}

function withPolicy(response: NextResponse, policy: string): NextResponse {
  response.headers.set('content-security-policy', policy);
  return response;
}
