'use client';

import { KINDS } from '#components/definitions/kind-words.ts';
import { Finding } from '#components/ui/finding.tsx';
import { useFormWiring } from './form-context.ts';

/** A removal: what would happen to those who use the definition. Nothing to fill in. */
export function RemovalForm() {
  const { draft, findings } = useFormWiring();
  const own = findings.filter((finding) => finding.kind === draft.kind && finding.name === draft.name);
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
      {own.map((finding) => (
        <Finding
          key={`${finding.code} ${finding.message}`}
          severity={finding.severity}
          code={finding.code}
          example={finding.example}
        >
          {finding.message}
        </Finding>
      ))}
    </>
  );
}
