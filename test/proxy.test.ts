import { NextRequest } from 'next/server';
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy, proxy } from '#proxy.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
const before = { secret: process.env.NEXTAUTH_SECRET, url: process.env.NEXTAUTH_URL };
beforeAll(() => {
  process.env.NEXTAUTH_SECRET = SECRET;
  process.env.NEXTAUTH_URL = 'http://localhost:3000';
});
afterAll(() => {
  restore('NEXTAUTH_SECRET', before.secret);
  restore('NEXTAUTH_URL', before.url);
});

function restore(name: string, value: string | undefined) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

const visit = (path: string, cookie?: string) =>
  proxy(new NextRequest(`http://localhost:3000${path}`, cookie === undefined ? {} : { headers: { cookie } }));

const sessionCookie = async (secret: string) =>
  `next-auth.session-token=${await encode({ token: { sub: 'ana' }, secret })}`;

describe('before every page', () => {
  it('leads whoever has no session to the sign-in page and back to where they wanted to go', async () => {
    const response = await visit('/changes/31?tab=diff');
    expect(response.status).toBe(307);
    expect(response.headers.get('location')).toBe(
      'http://localhost:3000/sign-in?callbackUrl=%2Fchanges%2F31%3Ftab%3Ddiff',
    );
  });

  it('takes no token of the API for a session', async () => {
    const headers = { authorization: `Bearer hbt_${'a'.repeat(50)}` };
    const response = await proxy(new NextRequest('http://localhost:3000/changes/31', { headers }));
    expect(response.headers.get('location')).toContain('/sign-in');
  });

  it('lets the sign-in page through without a session, and others with one', async () => {
    expect((await visit('/sign-in')).headers.get('location')).toBeNull();
    expect((await visit('/changes/31', await sessionCookie(SECRET))).headers.get('location')).toBeNull();
  });

  it('takes no session that another secret signed', async () => {
    const response = await visit('/', await sessionCookie('another-secret-of-thirty-two-byte'));
    expect(response.headers.get('location')).toBe('http://localhost:3000/sign-in');
  });

  it('sends a policy with a fresh nonce each time, on redirects too', async () => {
    const policies = await Promise.all(
      [visit('/sign-in'), visit('/sign-in'), visit('/')].map(async (reply) =>
        (await reply).headers.get('content-security-policy'),
      ),
    );
    const nonces = policies.map((policy) => /'nonce-([^']{20,})'/.exec(policy ?? '')?.[1]);
    expect(nonces).not.toContain(undefined);
    expect(new Set(nonces).size).toBe(3);
  });
});

describe('the content security policy', () => {
  it('allows no inline script, no eval, no frame and no other host', () => {
    const policy = contentSecurityPolicy('abc', false);
    const script = policy.split('; ').find((part) => part.startsWith('script-src'));
    expect(script).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(policy).not.toMatch(/https?:/);
    expect(policy.split('; ').filter((part) => part.includes('unsafe-inline'))).toEqual([
      "style-src-attr 'unsafe-inline'",
    ]);
  });
});
