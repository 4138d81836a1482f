import { z } from 'zod';
import { Definition, type DefinitionKind } from '#gateway/contract/definitions/definition.ts';

/** The fields that a document of this kind may have at a path, in the order in which its schema names them. */
export function knownFields(kind: DefinitionKind, path: readonly PropertyKey[]): readonly string[] {
  const definition = Definition.options.find((option) => option.shape.kind.value === kind);
  let schema: unknown = definition?.shape.document;
  for (const key of path) schema = inside(unwrap(schema), key);
  const object = unwrap(schema);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function inside(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return undefined;
}

/** Through everything that only says whether a value may be missing or how it is read. */
function unwrap(schema: unknown): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodReadonly
  ) {
    inner = inner.unwrap();
  }
  return inner;
}
