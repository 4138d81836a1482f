import { z } from 'zod';
import { CONTENT_SCHEMA_MODES, readContentSchema } from '../content-schema.ts';
import { TeamName } from '../ids.ts';
import { Cache } from './cache.ts';
import { Lifecycle } from './lifecycle.ts';

export const CLASSIFICATIONS = ['public', 'internal', 'confidential', 'restricted'] as const;

/** Hard ceiling of object content in bytes: base64 grows it by a third inside Cosmos's 2 MB item. */
export const MAX_OBJECT_BYTES = 1_400_000;

/**
 * A schema that content is checked against when it is written: *warn* stores it and says what does not fit, *enforce* refuses
 * it as `content_rejected`. What is stored already is not looked at, and content is stored byte for byte.
 */
export const ContentSchema = z.strictObject({
  mode: z.enum(CONTENT_SCHEMA_MODES),
  /** JSON text of a schema, see content-schema.ts. */
  schema: z.string().superRefine((text, context) => {
    const read = readContentSchema(text);
    if (!read.ok) context.addIssue({ code: 'custom', message: read.problem });
  }),
});

/** The document of an object type. Content itself is opaque to Habitat. */
export const ObjectTypeDocument = z.strictObject({
  ownerTeam: TeamName,
  description: z.string().min(1, 'Say in a sentence what it stores.').max(500),
  classification: z.enum(CLASSIFICATIONS),
  /** Largest content of one object, bytes. */
  maxBytes: z
    .int('maxBytes is a whole number.')
    .min(1, 'An object needs at least 1 byte.')
    .max(MAX_OBJECT_BYTES, 'An object has at most 1,400,000 bytes.'),
  audit: z.strictObject({
    reads: z.enum(['none', 'sampled', 'all']),
    writes: z.enum(['none', 'all']),
  }),
  /** Absent when content may be anything. */
  contentSchema: ContentSchema.optional(),
  /** Absent when every read asks the store. */
  cache: Cache.optional(),
  /** Absent while the type is active. */
  lifecycle: Lifecycle.optional(),
});
export type ObjectTypeDocument = z.infer<typeof ObjectTypeDocument>;
