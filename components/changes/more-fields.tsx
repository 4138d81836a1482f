'use client';

import { findingsAt } from './find-findings.ts';
import { useFormWiring } from './form-context.ts';

interface MoreFieldsProps {
  /** What the fields inside say now, in words. */
  readonly words: string;
  /** Paths inside: the fold opens by itself when one of them is wrong. */
  readonly paths: readonly string[];
  readonly children: React.ReactNode;
}

/** Fields that have a good default; folded, with what they say in words. */
export function MoreFields({ words, paths, children }: MoreFieldsProps) {
  const { draft, findings, issues } = useFormWiring();
  const isWrong = paths.some(
    (path) => issues.has(path) || findingsAt(findings, { kind: draft.kind, name: draft.name, path }).length > 0,
  );
  return (
    <details open={isWrong || undefined} className="group border-line border-t pt-3">
      <summary className="flex min-h-6 flex-wrap items-baseline gap-x-3 rounded-cell">
        <span className="font-medium">More</span>
        <span className="text-ink-2 group-open:invisible">{words}</span>
      </summary>
      <div className="mt-3 grid gap-5">{children}</div>
    </details>
  );
}
