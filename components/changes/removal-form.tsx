'use client';

import { KINDS } from '#components/definitions/kind-words.ts';
import { useFormWiring } from './form-context.ts';

/** A removal: what becomes of the definition. Nothing to fill in; what was found stands on the verdict's card alone. */
export function RemovalForm() {
  const { draft } = useFormWiring();
  return (
    <>
      <p className="text-lead">
        This change removes the {KINDS[draft.kind].one} <b className="font-mono font-semibold">{draft.name}</b>.
      </p>
      {(draft.kind === 'objectType' || draft.kind === 'edgeType') && (
        <p className="max-w-[60ch] text-ink-2">
          Requests for it are then refused as{' '}
          <code className="font-mono">unknown_{draft.kind === 'edgeType' ? 'edge_' : ''}type</code>. What is stored
          stays, and can be used again by restoring the type.
        </p>
      )}
      {draft.kind === 'principal' && (
        <p className="max-w-[60ch] text-ink-2">Its keys stop working as unauthenticated.</p>
      )}
    </>
  );
}
