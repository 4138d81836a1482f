import { diffDocuments, type FieldDiff } from './diff-documents.ts';

interface DiffViewProps {
  /** What is compared, for screen readers: "Message, r41 and ∆42". */
  readonly label: string;
  /** The two documents; `undefined` when the definition is new or removed. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Field by field: what it was, what it becomes. Side by side on a desk, one above the other on a phone. */
export function DiffView({ label, before, after }: DiffViewProps) {
  const diffs = diffDocuments(before, after);
  if (diffs.length === 0) return <p className="text-ink-3">No field differs.</p>;
  return (
    <dl aria-label={label} className="divide-y divide-line">
      {diffs.map((diff) => (
        <div key={diff.path} className="grid gap-x-4 gap-y-1 py-1.5 desk:grid-cols-[minmax(7rem,1fr)_minmax(0,3fr)]">
          <dt className="font-mono text-ink-2 text-meta leading-5">{diff.path === '' ? 'document' : diff.path}</dt>
          <dd className="grid min-w-0 gap-0.5 font-mono text-meta leading-5">
            <Values diff={diff} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ diff }: { readonly diff: FieldDiff }) {
  return (
    <>
      {diff.before !== undefined && <Value sign="−" says="was" value={diff.before} className="text-danger" />}
      {diff.after !== undefined && <Value sign="+" says="becomes" value={diff.after} className="text-ok" />}
    </>
  );
}

function Value({ sign, says, value, className }: { sign: string; says: string; value: unknown; className: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
  return (
    <div className="grid grid-cols-[1rem_minmax(0,1fr)]">
      <span aria-hidden className={className}>
        {sign}
      </span>
      <span className="sr-only">{says} </span>
      <bdi className={`whitespace-pre-wrap ${sign === '−' ? 'text-ink-2 line-through decoration-line' : 'text-ink'}`}>
        {text === '' ? 'empty' : text}
      </bdi>
    </div>
  );
}
