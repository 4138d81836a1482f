'use client';

import { Wordmark } from '#components/shell/wordmark.tsx';
import { Button } from '#components/ui/button.tsx';
import { Sentence } from '#components/ui/sentence.tsx';

/** The ways in could not be read, which means that the database is away. */
export default function SignInError({ reset }: { readonly reset: () => void }) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center justify-items-start gap-6 px-4 py-12">
      <Wordmark />
      <h1 className="font-semibold text-title">Sign-in is not possible now</h1>
      <Sentence size="prose">
        The console cannot read who may sign in; most likely its database is away. Gateways keep enforcing their
        release.
      </Sentence>
      <Button onClick={reset}>Try again</Button>
    </main>
  );
}
