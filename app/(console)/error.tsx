'use client';

import { Failed } from '#components/ui/failed.tsx';

/** A page that broke while it was drawn. The frame around it stays. */
export default function ErrorPage({ error, reset }: { readonly error: Error; readonly reset: () => void }) {
  return <Failed error={error} onRetry={reset} />;
}
