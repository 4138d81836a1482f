'use client';

import { ConsoleError, messageOf } from '#components/api-client.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Denied } from './denied.tsx';
import { Mark } from './mark.tsx';
import { PaletteKeys } from './mod-key.tsx';
import { Sentence } from './sentence.tsx';

interface FailedProps {
  readonly error: unknown;
  /** Tries again; left out where that cannot help. */
  readonly onRetry?: (() => void) | undefined;
  /** What the person can do besides, as links. */
  readonly acts?: React.ReactNode;
}

/** A query that failed: what happened, what next, the request id last. `not_permitted` becomes the denied state. */
export function Failed({ error, onRetry, acts }: FailedProps) {
  const known = error instanceof ConsoleError ? error : undefined;
  if (known?.code === 'not_permitted') return <Denied acts={acts}>{known.message}</Denied>;
  if (known?.code === 'not_found') return <NotFound error={known} acts={acts} />;
  return (
    <div role="alert" className="grid justify-items-start gap-3 px-4 py-8">
      <div className="flex gap-2">
        <Mark kind="cross" className="mt-1.5 text-danger" />
        <Sentence size="prose">{messageOf(error)}</Sentence>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        {acts}
        {known?.requestId !== undefined && (
          <CopyButton text={known.requestId} label={known.requestId} className="font-mono" />
        )}
      </div>
    </div>
  );
}

/** The whole page is about something that is not there; there is nothing to try again. */
function NotFound({ error, acts }: { readonly error: ConsoleError; readonly acts: React.ReactNode }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <h1 className="font-semibold text-title">{error.message.replace(/\.$/, '')}</h1>
      <Sentence size="prose">
        It may have been removed, or the link is cut short. Search by name with <PaletteKeys />.
      </Sentence>
      {acts}
      {error.requestId !== undefined && (
        <CopyButton text={error.requestId} label={error.requestId} className="-ml-2 font-mono" />
      )}
    </div>
  );
}
