/** What went wrong at the last attempt, by next-auth's code (https://next-auth.js.org/configuration/pages#error-codes). */
const PROBLEMS: Readonly<Record<string, string>> = {
  OAuthSignin: 'The identity provider cannot be reached. Try again, or tell an operator of this installation.',
  OAuthCallback: 'The identity provider refused the sign-in, or its answer came too late. Try again.',
  OAuthCreateAccount: 'Your account could not be made here. Tell an operator of this installation.',
  OAuthAccountNotLinked:
    'This address signs in another way here. Use that way; two ways are never joined by address alone.',
  Callback: 'The sign-in was not finished. Try again.',
  AccessDenied: 'The identity provider says that you may not use this console.',
  CredentialsSignin: 'This demo user does not exist here.',
  SessionRequired: 'Sign in first.',
  Configuration: 'Sign-in is set up wrong in this installation. Tell its operator.',
};

/** The sentence for a code, or undefined when nothing went wrong. */
export function signInProblem(code: string | undefined): string | undefined {
  if (code === undefined || code === '') return undefined;
  return PROBLEMS[code] ?? 'The sign-in failed. Try again.';
}

/** Where to go afterwards: a path of this console, never another host. */
export function pathAfterSignIn(callbackUrl: string | undefined): string {
  const base = 'http://console.invalid';
  if (callbackUrl === undefined || !URL.canParse(callbackUrl, base)) return '/';
  // Only the path is taken, so whatever host was written is dropped.
  const { pathname, search } = new URL(callbackUrl, base);
  return /^\/(?!\/|sign-in)/.test(pathname) ? pathname + search : '/';
}
