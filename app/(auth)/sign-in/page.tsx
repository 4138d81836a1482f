import type { Metadata } from 'next';
import { pathAfterSignIn, signInProblem } from '#components/sign-in/sign-in-problem.ts';
import { SignInView } from '#components/sign-in/sign-in-view.tsx';
import { readSignInOptions } from '#server/http/sign-in-options.ts';

export const metadata: Metadata = { title: 'Sign in' };

interface PageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignInPage({ searchParams }: PageProps) {
  const { callbackUrl, error } = await searchParams;
  const { installationName, oidc, demoUsers } = await readSignInOptions();
  return (
    <SignInView
      installationName={installationName}
      oidc={oidc}
      demoUsers={demoUsers}
      problem={signInProblem(typeof error === 'string' ? error : undefined)}
      next={pathAfterSignIn(typeof callbackUrl === 'string' ? callbackUrl : undefined)}
    />
  );
}
