'use client';

import { signIn } from 'next-auth/react';
import { useState } from 'react';
import { Wordmark } from '#components/shell/wordmark.tsx';
import { Button } from '#components/ui/button.tsx';
import { Mark } from '#components/ui/mark.tsx';
import { Sentence } from '#components/ui/sentence.tsx';

interface SignInViewProps {
  readonly installationName: string;
  readonly oidc: { readonly displayName: string } | null;
  readonly demoUsers: readonly { readonly id: string; readonly name: string; readonly about: string }[];
  /** What went wrong at the last attempt. */
  readonly problem: string | undefined;
  /** Path to go to afterwards. */
  readonly next: string;
}

/** The way in: one click per demo user in the embedded default, one button with an identity provider. */
export function SignInView({ installationName, oidc, demoUsers, problem, next }: SignInViewProps) {
  const [chosen, setChosen] = useState<string>();
  const enter = (provider: 'oidc' | 'demo', userId = provider as string) => {
    setChosen(userId);
    const options = provider === 'demo' ? { userId, callbackUrl: next } : { callbackUrl: next };
    signIn(provider, options).catch(() => setChosen(undefined));
  };
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 px-4 py-12">
      <Wordmark installation={installationName} />
      <div className="grid gap-2">
        <h1 className="font-semibold text-title">Sign in</h1>
        <Sentence size="prose" className="text-ink-2">
          {leadOf(oidc !== null, demoUsers.length)}
        </Sentence>
      </div>
      {problem !== undefined && (
        <p role="alert" className="flex gap-2 border-danger border-l-2 bg-danger-wash px-3 py-2">
          <Mark kind="cross" className="mt-1 shrink-0 text-danger" />
          {problem}
        </p>
      )}
      {oidc !== null && (
        <Button look="primary" pending={chosen === 'oidc'} onClick={() => enter('oidc')} className="h-9">
          Sign in with {oidc.displayName}
        </Button>
      )}
      {demoUsers.length > 0 && (
        <ul aria-label="Demo users" className="divide-y divide-line border border-line bg-surface">
          {demoUsers.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                onClick={() => enter('demo', user.id)}
                disabled={chosen !== undefined}
                className="group flex min-h-12 w-full items-center gap-3 px-4 text-left hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="w-24 shrink-0 font-medium text-prose">{user.name}</span>
                <span className="min-w-0 grow text-ink-2">{user.about}</span>
                <span aria-hidden className="text-ink-3 group-hover:text-accent">
                  {chosen === user.id ? '…' : '→'}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

function leadOf(hasOidc: boolean, demoUsers: number): string {
  if (hasOidc) return 'Your roles come from your groups and from the admins of this installation.';
  if (demoUsers > 0)
    return 'This installation is for trying Habitat on one machine. Choose who to be; you can act as another at any time.';
  return 'No way in is set up: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET and start the console again.';
}
