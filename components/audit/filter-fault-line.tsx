import type { FilterFault } from './filter-fault.ts';

/** The line with the token that could not be read. The sentence stands under the field itself. */
export function FilterFaultLine({ fault }: { readonly fault: FilterFault }) {
  return (
    <p className="border border-line bg-surface px-4 py-3">
      <code className="whitespace-pre-wrap font-mono">
        {fault.before}
        <mark className="rounded-cell bg-danger-wash text-danger underline decoration-wavy underline-offset-4">
          {fault.token}
        </mark>
        {fault.after}
      </code>
      <span className="mt-1 block text-ink-3 text-meta">
        Character {fault.before.length + 1}. No rows are shown until the line can be read.
      </span>
    </p>
  );
}
