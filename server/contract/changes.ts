import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import { Effect } from './effect.ts';
import { ManagedBy } from './managed-by.ts';
import { PageQuery, page } from './paging.ts';
import { Person, ReviewMode } from './people.ts';
import { Section } from './rules.ts';

/** Stored states of a change; *Rolling out*, *Halted* and *Live* are read from its release. */
export const CHANGE_STATES = [
  'draft',
  'in review',
  'needs work',
  'approved',
  'rolling out',
  'halted',
  'live',
  'outdated',
  'abandoned',
  'undone',
] as const;
export const ChangeState = z.enum(CHANGE_STATES);
export type ChangeState = z.infer<typeof ChangeState>;

/** One result of checking a change. `path` is the JSON path of the field inside the edit's document, '' for the whole. */
export const Finding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  kind: DefinitionKind,
  name: z.string(),
  path: z.string(),
  message: z.string(),
  /** A concrete example, in words. */
  example: z.string().optional(),
  /** Where the example can be looked at. */
  href: z.string().optional(),
  /** Line of a text that it points at, 1-based. */
  line: z.int().optional(),
  /** The part of the verdict that it belongs to. */
  section: Section.optional(),
  /** Set when an admin took it on themselves; it does not block any more. */
  overriddenBy: z.object({ name: z.string(), reason: z.string() }).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const Edit = z.object({
  kind: DefinitionKind,
  name: z.string(),
  /** What it does to the published definitions. */
  act: z.enum(['add', 'edit', 'remove']),
  /** The draft; null for a removal. It may be incomplete: findings say so. */
  document: z.record(z.string(), z.unknown()).nullable(),
  /** The published document the edit started from; null when it is new. */
  base: z.record(z.string(), z.unknown()).nullable(),
  baseRevision: z.int(),
  /** Grows with every save of this edit; a save names the one it read. */
  version: z.int(),
});
export type Edit = z.infer<typeof Edit>;

/** One step of the spine, from draft to the first request under the release. */
export const SpineStep = z.object({
  atMs: z.int().nullable(),
  what: z.string(),
  who: z.string().nullable(),
  note: z.string().nullable(),
  state: z.enum(['done', 'current', 'waiting', 'failed']),
  href: z.string().nullable(),
});
export type SpineStep = z.infer<typeof SpineStep>;

/** Whether an act is possible for whoever asks, and if not, why and who can. */
export const Possible = z.object({ may: z.boolean(), why: z.string() });
export type Possible = z.infer<typeof Possible>;

export const ChangeRow = z.object({
  number: z.int(),
  title: z.string(),
  state: ChangeState,
  author: Person,
  edits: z.int(),
  release: z.int().nullable(),
  /** One line: what it waits for and who can act. */
  waitsFor: z.string(),
  updatedAtMs: z.int(),
});
export type ChangeRow = z.infer<typeof ChangeRow>;
export const ChangePage = page(ChangeRow);
/** GET /api/changes */
export const ChangeQuery = PageQuery.extend({
  state: z.enum(['open', 'published', 'abandoned', 'all']).default('open'),
  /** Whose: of whoever asks, of people who share a team with them, or everybody's. */
  by: z.enum(['me', 'teams', 'all']).default('all'),
  q: z.string().trim().max(100).optional(),
});

/** How far one part of the verdict is. `parts` is 0 for what is judged at every look. */
export const Check = z.object({
  section: Section,
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** What it found out in a sentence, or why it could not run. */
  summary: z.string(),
  progress: z.int(),
  parts: z.int(),
  /** When the result is from; null while there is none, and for what is judged at every look. */
  atMs: z.int().nullable(),
});
export type Check = z.infer<typeof Check>;

/** How one test that is kept with a policy came out, under all policies together. */
export const PolicyTestResult = z.object({
  policy: z.string(),
  /** Its place in the policy's `tests`. */
  index: z.int(),
  test: PolicyTest,
  hasPassed: z.boolean(),
  /** What was decided; null when it names what does not exist, so that nothing was. */
  outcome: z.enum(['allow', 'deny', 'conditional']).nullable(),
  /** The policies that decided; empty when nothing permits it. */
  policies: z.array(z.string()),
  /** How it came out in a sentence. */
  said: z.string(),
});
export type PolicyTestResult = z.infer<typeof PolicyTestResult>;

/** A remark on a field; those of one field make a thread. `path` is '' for the whole definition. */
export const ChangeComment = z.object({
  id: z.string(),
  kind: DefinitionKind,
  name: z.string(),
  path: z.string(),
  text: z.string(),
  author: Person,
  atMs: z.int(),
  resolvedBy: Person.nullable(),
});
export type ChangeComment = z.infer<typeof ChangeComment>;

/** GET /api/changes/{number} */
export const ChangeDetail = z.object({
  row: ChangeRow,
  reason: z.string(),
  link: z.string().nullable(),
  /** Published to all gateways at once; every review of it is by a second person. */
  emergency: z.boolean(),
  /** The undone change whose edits it holds again. */
  againOf: z.int().nullable(),
  edits: z.array(Edit),
  /** The repository whose apply keeps this change; null for one written in the console. */
  source: z.string().nullable().optional(),
  /** Which of its edits are of definitions that a repository keeps. */
  managed: z.array(z.object({ kind: DefinitionKind, name: z.string(), by: ManagedBy })).optional(),
  /** Of the change as it stands now, or as it was published. */
  findings: z.array(Finding),
  /** Every part of the verdict, in the order of its card. A published change keeps the verdict that it was published with. */
  checks: z.array(Check),
  /** How the tests of the edited policies came out. */
  tests: z.array(PolicyTestResult).optional(),
  comments: z.array(ChangeComment),
  /** The approving act publishes it. */
  publishWhenApproved: z.boolean(),
  effects: z.array(Effect),
  reviews: z.array(
    z.object({
      reviewer: Person,
      verdict: z.enum(['approved', 'needs work']),
      comment: z.string(),
      atMs: z.int(),
      self: z.boolean(),
      /** Voided by a later edit. */
      voided: z.boolean(),
    }),
  ),
  /** Which reviews it needs: one per kind of reviewer. */
  needs: z.array(z.object({ from: z.string(), mode: ReviewMode, given: z.boolean(), who: z.array(Person) })),
  spine: z.array(SpineStep),
  may: z.object({
    edit: Possible,
    submit: Possible,
    approve: Possible,
    publish: Possible,
    abandon: Possible,
    comment: Possible,
    /** Taking a finding that may be overridden on oneself. */
    override: Possible,
    /** Set while it waits in the queue of publishes: taking it out again. */
    unqueue: Possible.optional(),
  }),
  /** Hash of the edits; approval is bound to it. */
  contentHash: z.string(),
});
export type ChangeDetail = z.infer<typeof ChangeDetail>;

const changeText = {
  title: z.string().trim().min(3, 'Say in three characters or more what it does.').max(120),
  reason: z.string().trim().max(2_000),
  link: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable(),
};

/** POST /api/changes */
export const CreateChange = z.strictObject({
  ...changeText,
  reason: changeText.reason.default(''),
  link: changeText.link.default(null),
});
export const CreatedChange = z.object({ number: z.int() });
/** PATCH /api/changes/{number}: what is absent stays. No defaults here: zod fills them in even for absent fields. */
export const UpdateChange = z.strictObject(changeText).partial();
/**
 * PUT /api/changes/{number}/edits/{kind}/{name}: saves a draft of one definition; `document: null` removes the
 * definition. `version` is 0 for a new edit, else the version that was read (another one is `conflict`).
 * DELETE of the same path takes the edit out of the change.
 */
export const SaveEdit = z.strictObject({
  document: z.record(z.string(), z.unknown()).nullable(),
  version: z.int().min(0),
});
/**
 * POST /api/changes/{number}/check: findings and effects of a draft without saving it (live findings while typing).
 */
export const CheckDraft = z.strictObject({
  edits: z
    .array(
      z.strictObject({
        kind: DefinitionKind,
        name: z.string().max(64),
        document: z.record(z.string(), z.unknown()).nullable(),
      }),
    )
    .max(200),
});
export const CheckResult = z.object({
  findings: z.array(Finding),
  effects: ChangeDetail.shape.effects,
  checks: z.array(Check).default([]),
  /** How the tests of the edited policies came out. */
  tests: z.array(PolicyTestResult).default([]),
});
/** POST /api/changes/{number}/submit, …/withdraw, …/abandon, …/unqueue: empty body. */
export const EmptyBody = z.strictObject({});
/**
 * POST /api/changes/{number}/refresh: rebases an outdated change. What only one side set is merged; what both set
 * differently is refused as `conflict`, each place named in `fields` as `kind/name/path`, until `choices` says for that
 * place whose value stays.
 */
export const RefreshChange = z.strictObject({
  choices: z.record(z.string(), z.enum(['mine', 'theirs'])).default({}),
});
/** POST /api/changes/{number}/review. A self-approval needs the comment as its reason. */
export const ReviewChange = z.strictObject({
  verdict: z.enum(['approved', 'needs work']),
  comment: z.string().trim().max(2_000).default(''),
  /** Keys (`warningKey`) of the warnings that were looked at: an approval needs all of them. */
  ticked: z.array(z.string().max(2_000)).max(1_000).default([]),
  /** The content hash that was looked at; an edit since then is `conflict`. */
  contentHash: z.string(),
});
/** What a reviewer ticks: the warning at its place. How it is worded may move with the traffic of the hour. */
export function warningKey({ kind, name, path, code }: Pick<Finding, 'kind' | 'name' | 'path' | 'code'>): string {
  return `${kind}/${name}/${path} ${code}`;
}
/** PUT /api/changes/{number}/publish-when-approved */
export const SetPublishWhenApproved = z.strictObject({ publishWhenApproved: z.boolean() });
/** POST /api/changes/{number}/override (admin): takes a finding that may be overridden on oneself, for this content. */
export const OverrideFinding = z.strictObject({
  kind: DefinitionKind,
  name: z.string().max(64),
  code: z.string().max(40),
  reason: z.string().trim().min(3, 'Say why, in three characters or more.').max(500),
  contentHash: z.string(),
});
/** POST /api/changes/{number}/comments. `@` and a person's name puts it into their inbox. */
export const AddComment = z.strictObject({
  kind: DefinitionKind,
  name: z.string().max(64),
  path: z.string().max(200),
  text: z.string().trim().min(1, 'Write something first.').max(2_000),
});
/** POST /api/changes/{number}/comments/resolve: ends the thread of a field. */
export const ResolveComments = z.strictObject({
  kind: DefinitionKind,
  name: z.string().max(64),
  path: z.string().max(200),
});
/** POST /api/changes/{number}/publish: idempotent, a second call answers the same release. */
export const PublishChange = z.strictObject({ contentHash: z.string() });
