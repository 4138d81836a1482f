import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { ChangeState, CreateChange } from './changes.ts';
import { Source } from './managed-by.ts';

/** Most edits that one apply makes a change of. */
export const MAX_APPLIED_EDITS = 1_000;
/** Most definitions that one repository keeps. */
export const MAX_KEPT = 50_000;

const Name = z.object({ kind: DefinitionKind, name: z.string().min(1).max(64) });

/** GET /api/definitions/export: everything published, in pages by kind and name. */
export const ExportQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(2_000).default(1_000),
});
export const ExportedDefinition = Name.extend({
  document: z.record(z.string(), z.unknown()),
  revision: z.int(),
  /** The repository that keeps it; null for one kept in the console. */
  managedBy: z.string().nullable(),
});
export type ExportedDefinition = z.infer<typeof ExportedDefinition>;
export const ExportPage = z.object({
  /** The newest release, null before the first. Pages of two releases are not one state: start again. */
  release: z.int().nullable(),
  items: z.array(ExportedDefinition),
  next: z.string().optional(),
});

const DraftEdit = z.strictObject({
  kind: DefinitionKind,
  name: z.string().max(64),
  document: z.record(z.string(), z.unknown()).nullable(),
});

/** POST /api/definitions/check: findings and effects of edits, saving nothing. */
export const CheckDefinitions = z.strictObject({ edits: z.array(DraftEdit).max(MAX_APPLIED_EDITS) });

/**
 * POST /api/definitions/apply: what the files of a repository say against what is published, as one change. The same
 * files again answer the same change and touch neither it nor its approvals.
 */
export const ApplyDefinitions = z.strictObject({
  source: Source,
  /** The release that the files were compared with; another one since is `revision_conflict`. */
  release: z.int().nullable(),
  title: CreateChange.shape.title,
  reason: CreateChange.shape.reason,
  link: CreateChange.shape.link,
  edits: z.array(DraftEdit).max(MAX_APPLIED_EDITS),
  /** The other definitions of the files: they are as published. */
  unchanged: z.array(Name.strict()).max(MAX_KEPT),
  /** Definitions that the files let go: the console keeps them from now on. */
  letGo: z.array(Name.strict()).max(MAX_KEPT).default([]),
  /** Lay the files over what somebody changed in the console since the last apply. */
  overwrite: z.boolean().default(false),
  /** Take over definitions that another repository keeps. */
  takeOver: z.boolean().default(false),
});
export type ApplyDefinitions = z.infer<typeof ApplyDefinitions>;

export const Applied = z.object({
  /** What became of the change: none is needed, it was opened, its edits were replaced, or it is the same. */
  outcome: z.enum(['nothing to do', 'opened', 'updated', 'same']),
  change: z.object({ number: z.int(), state: ChangeState, contentHash: z.string(), edits: z.int() }).nullable(),
  /** An open change of earlier files that was abandoned, since the files now say what is published. */
  abandoned: z.int().nullable(),
});
export type Applied = z.infer<typeof Applied>;
