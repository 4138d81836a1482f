import type { z } from 'zod';
import type { Document } from '#components/definitions/document.ts';
import { KINDS } from '#components/definitions/kind-words.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { Finding } from '#server/contract/changes.ts';

/** A finding's path as the form writes it: `$.audit.reads`, `/audit/reads` and `audit.reads` are one field. */
export function fieldPath(path: string): string {
  return path
    .replace(/^[$/.]+/, '')
    .replaceAll('/', '.')
    .replace(/\[(\d+)\]/g, '.$1');
}

/** Findings that point at one field, or at something inside it (a list's third entry belongs to the list). */
export function findingsAt(
  findings: readonly Finding[],
  at: { kind: DefinitionKind; name: string; path: string },
): readonly Finding[] {
  return findings.filter((finding) => {
    if (finding.kind !== at.kind || finding.name !== at.name) return false;
    const path = fieldPath(finding.path);
    return path === at.path || (at.path !== '' && path.startsWith(`${at.path}.`));
  });
}

/** How many block and how many warn. */
export function countFindings(findings: readonly Finding[]): { readonly errors: number; readonly warnings: number } {
  return {
    errors: findings.filter((finding) => finding.severity === 'error').length,
    warnings: findings.filter((finding) => finding.severity === 'warning').length,
  };
}

/** What the contract's own schema says about a document, by field: the same words as the server's, without its round trip. */
export function schemaIssues(kind: DefinitionKind, document: Document | null): ReadonlyMap<string, string> {
  if (document === null) return new Map();
  const parsed = KINDS[kind].documentSchema.safeParse(document);
  if (parsed.success) return new Map();
  return new Map(
    parsed.error.issues.map((issue: z.core.$ZodIssue) => [issue.path.join('.'), issue.message] as const).reverse(),
  );
}
