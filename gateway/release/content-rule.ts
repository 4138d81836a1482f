import { readContentSchema } from '#gateway/contract/content-schema.ts';
import type { ObjectTypeDocument } from '#gateway/contract/definitions/object-type.ts';
import { type ContentCheck, compileContentSchema } from '#gateway/pipeline/content-check.ts';
import type { ContentRule } from '#gateway/pipeline/indexes.ts';

/** The rule of a type, null when there is none or it is off. Throws when the schema is none, which refuses the release. */
export function contentRule(document: ObjectTypeDocument['contentSchema']): ContentRule | null {
  if (document === undefined || document.mode === 'off') return null;
  const read = readContentSchema(document.schema);
  if (!read.ok) throw new Error(read.problem);
  const { schema } = read;
  let compiled: ContentCheck | null = null;
  const check: ContentCheck = (content) => {
    compiled ??= compileContentSchema(schema);
    return compiled(content);
  };
  return { mode: document.mode, check };
}
