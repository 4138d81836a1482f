import { z } from 'zod';

/** A piece of JSON of an API description. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * JSON Schema 2020-12, as OpenAPI 3.1 has it. What JSON Schema cannot say (a refinement) is left out. As `input`, an object may
 * have members that are not named; as `output`, it has none.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
}
