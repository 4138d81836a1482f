import { MAX_CHECKED_BYTES } from '#gateway/contract/content-schema.ts';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { CheckFinding } from './finding.ts';
import { bytesInWords } from './words.ts';

/**
 * What an edit does to content that is checked: `field_invalid` for content larger than what is checked,
 * `content_schema_enforced` when content that does not fit begins to be refused, or other content than before is.
 */
export function checkContentSchema(before: Definition | null, after: Definition | null): readonly CheckFinding[] {
  if (after?.kind !== 'objectType') return [];
  const { contentSchema: rule, maxBytes } = after.document;
  if (rule === undefined || rule.mode === 'off') return [];
  const at = { kind: after.kind, name: after.name } as const;
  const findings: CheckFinding[] = [];
  if (maxBytes > MAX_CHECKED_BYTES) {
    findings.push({
      ...at,
      code: 'field_invalid',
      severity: 'error',
      path: 'maxBytes',
      message: `Content that a schema checks has at most ${MAX_CHECKED_BYTES} bytes; lower this, or switch the schema off.`,
    });
  }
  const was = before?.kind === 'objectType' ? before.document.contentSchema : undefined;
  const isSame = was?.mode === rule.mode && was.schema === rule.schema;
  if (before === null || rule.mode !== 'enforce' || isSame) return findings;
  findings.push({
    ...at,
    code: 'content_schema_enforced',
    severity: 'warning',
    path: 'contentSchema.mode',
    message: `A ${after.name} that does not fit the schema can no longer be written; what is stored stays readable.`,
    example: `A put of at most ${bytesInWords(maxBytes)} that does not fit gets 422 content_rejected.`,
  });
  return findings;
}
