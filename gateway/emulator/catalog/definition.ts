import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { badRequest } from '#gateway/emulator/errors.ts';

const PathEntry = z.looseObject({ path: z.string().startsWith('/') });

const CompositePath = z.looseObject({
  path: z.string().startsWith('/'),
  order: z.enum(['ascending', 'descending']).default('ascending'),
});

const IndexingPolicy = z.looseObject({
  indexingMode: z.string().default('consistent'),
  automatic: z.boolean().default(true),
  includedPaths: z.array(PathEntry).default([]),
  excludedPaths: z.array(PathEntry).default([]),
  compositeIndexes: z.array(z.array(CompositePath).min(2).max(8)).optional(),
});

/** Version 1 hashes the first 100 bytes of a key in another way; every client of today asks for version 2. */
const PartitionKey = z.object({
  paths: z.array(z.string().regex(/^\/./)).min(1).max(3),
  kind: z.enum(['Hash', 'MultiHash']).default('Hash'),
  version: z.literal(2).default(2),
});

const UniqueKey = z.object({ paths: z.array(z.string().regex(/^\/./)).min(1).max(16) });

const Definition = z.looseObject({
  id: z.string(),
  partitionKey: PartitionKey,
  indexingPolicy: IndexingPolicy.optional(),
  defaultTtl: z.union([z.literal(-1), z.number().int().positive().max(2_147_483_647)]).optional(),
  uniqueKeyPolicy: z.looseObject({ uniqueKeys: z.array(UniqueKey).max(10).default([]) }).optional(),
});

export type IndexingPolicy = z.infer<typeof IndexingPolicy>;

export interface ContainerDefinition {
  readonly id: string;
  readonly partitionKey: z.infer<typeof PartitionKey>;
  readonly indexingPolicy: IndexingPolicy;
  readonly defaultTtl: number | undefined;
  readonly uniqueKeys: readonly z.infer<typeof UniqueKey>[];
}

const EVERYTHING: IndexingPolicy = {
  indexingMode: 'consistent',
  automatic: true,
  includedPaths: [{ path: '/*' }],
  excludedPaths: [{ path: '/"_etag"/?' }],
};

/** Parts of a definition that change what a container does, and that are not here. */
const UNSUPPORTED = [
  'computedProperties',
  'clientEncryptionPolicy',
  'vectorEmbeddingPolicy',
  'fullTextPolicy',
] as const;

/** Reads the body of a container create or replace. Refuses (400) what this endpoint would not honour. */
export function parseDefinition(body: unknown): ContainerDefinition {
  const parsed = Definition.safeParse(body);
  if (!parsed.success) throw badRequest(`The container definition is not valid: ${z.prettifyError(parsed.error)}`);
  const { id, partitionKey, indexingPolicy, defaultTtl, uniqueKeyPolicy } = parsed.data;
  const asked = UNSUPPORTED.find((name) => isAsked(parsed.data[name]));
  if (asked !== undefined) throw badRequest(`A container with ${asked} is not supported here.`);
  if (partitionKey.kind === 'Hash' && partitionKey.paths.length > 1) {
    throw badRequest('A Hash partition key has exactly one path.');
  }
  const uniqueKeys = uniqueKeyPolicy?.uniqueKeys ?? [];
  return { id, partitionKey, indexingPolicy: indexingPolicy ?? EVERYTHING, defaultTtl, uniqueKeys };
}

/** A definition as it is stored: `parseDefinition` reads it back. */
export function definitionText({ uniqueKeys, ...definition }: ContainerDefinition): string {
  return JSON.stringify({ ...definition, ...(uniqueKeys.length === 0 ? {} : { uniqueKeyPolicy: { uniqueKeys } }) });
}

/** Refuses a replacement that changes what is fixed when a container is made. */
export function checkReplacement(before: ContainerDefinition, after: ContainerDefinition): void {
  if (after.id !== before.id) throw badRequest('The id of the definition is not the id of the container.');
  if (!isDeepStrictEqual(after.partitionKey, before.partitionKey)) {
    throw badRequest('The partition key of a container cannot be changed.');
  }
  if (!isDeepStrictEqual(after.uniqueKeys, before.uniqueKeys)) {
    throw badRequest('The unique keys of a container cannot be changed.');
  }
}

const ILLEGAL_NAME = /[/\\?#]| $|[\p{Cc}]/u;

export function checkResourceName(id: unknown): string {
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > 255 || ILLEGAL_NAME.test(id)) {
    throw badRequest('A database or container id is 1 to 255 bytes without / \\ ? # or a space at its end.');
  }
  return id;
}

function isAsked(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return Object.values(value).some((part) => !Array.isArray(part) || part.length > 0);
}
