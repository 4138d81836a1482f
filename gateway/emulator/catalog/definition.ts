import { z } from 'zod';
import { badRequest } from '#gateway/emulator/errors.ts';

const PathEntry = z.looseObject({ path: z.string().startsWith('/') });

const IndexingPolicy = z.looseObject({
  indexingMode: z.string().default('consistent'),
  automatic: z.boolean().default(true),
  includedPaths: z.array(PathEntry).default([]),
  excludedPaths: z.array(PathEntry).default([]),
});

const PartitionKey = z.object({
  paths: z.array(z.string().regex(/^\/./)).min(1).max(3),
  kind: z.enum(['Hash', 'MultiHash']).default('Hash'),
  version: z.number().int().min(1).max(2).default(2),
});

const Definition = z.looseObject({
  id: z.string(),
  partitionKey: PartitionKey,
  indexingPolicy: IndexingPolicy.optional(),
  defaultTtl: z.union([z.literal(-1), z.number().int().positive()]).optional(),
  uniqueKeyPolicy: z.looseObject({ uniqueKeys: z.array(z.unknown()).default([]) }).optional(),
});

export type IndexingPolicy = z.infer<typeof IndexingPolicy>;

export interface ContainerDefinition {
  readonly id: string;
  readonly partitionKey: z.infer<typeof PartitionKey>;
  readonly indexingPolicy: IndexingPolicy;
  readonly defaultTtl: number | undefined;
}

const EVERYTHING: IndexingPolicy = {
  indexingMode: 'consistent',
  automatic: true,
  includedPaths: [{ path: '/*' }],
  excludedPaths: [{ path: '/"_etag"/?' }],
};

/** Reads the body of a container create. Refuses (400) what this endpoint would not honour, instead of dropping it. */
export function parseDefinition(body: unknown): ContainerDefinition {
  const parsed = Definition.safeParse(body);
  if (!parsed.success) throw badRequest(`The container definition is not valid: ${z.prettifyError(parsed.error)}`);
  const { id, partitionKey, indexingPolicy, defaultTtl, uniqueKeyPolicy } = parsed.data;
  if ((uniqueKeyPolicy?.uniqueKeys.length ?? 0) > 0) throw badRequest('Unique keys are not supported here.');
  if (partitionKey.kind === 'Hash' && partitionKey.paths.length > 1) {
    throw badRequest('A Hash partition key has exactly one path.');
  }
  return { id, partitionKey, indexingPolicy: indexingPolicy ?? EVERYTHING, defaultTtl };
}

const ILLEGAL_NAME = /[/\\?#]| $|[\p{Cc}]/u;

export function checkResourceName(id: unknown): string {
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > 255 || ILLEGAL_NAME.test(id)) {
    throw badRequest('A database or container id is 1 to 255 bytes without / \\ ? # or a space at its end.');
  }
  return id;
}
