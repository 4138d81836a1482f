import { z } from 'zod';
import { Edit, Finding, Possible } from './changes.ts';
import { Effect } from './effect.ts';
import { Person } from './people.ts';

const reason = z.string().trim().min(3, 'Say why, in three characters or more.').max(500);

/** `undo` takes back what one release did; `return` makes everything as one release had it. */
export const RollbackMode = z.enum(['undo', 'return']);
export type RollbackMode = z.infer<typeof RollbackMode>;

/** What a rollback undid: of `undo` the release undone, of `return` the release returned to. */
export const RollbackOf = z.object({ mode: RollbackMode, release: z.int() });
export type RollbackOf = z.infer<typeof RollbackOf>;

/** A rollout that an act ends before it reached every gateway; its change goes back to *Approved*. */
export const EndedRollout = z.object({ release: z.int(), change: z.int().nullable(), title: z.string() });
export type EndedRollout = z.infer<typeof EndedRollout>;

/** GET /api/releases/{number}/rollback?mode=…: what it would do, without doing it. */
export const RollbackQuery = z.object({ mode: RollbackMode });
export const RollbackPreview = z.object({
  mode: RollbackMode,
  release: z.int(),
  /** The newest release that was looked at; the act names it. */
  newest: z.int(),
  /** Whether whoever asks may, and whether it can be done at all. */
  possible: Possible,
  edits: z.array(Edit),
  findings: z.array(Finding),
  effects: z.array(Effect),
  /** What it would newly allow or raise. Not empty: a second person reviews it first. */
  widens: z.array(z.string()),
  /** Releases it undoes, newest first. */
  undoes: z.array(
    z.object({ release: z.int(), change: z.int().nullable(), cause: z.string(), by: Person, atMs: z.int() }),
  ),
  /** The rollout that it ends beside what it undoes. */
  ends: EndedRollout.nullable(),
  /** Gateways that could not run what it makes. */
  cannotRun: z.array(z.object({ gateway: z.string(), why: z.string() })),
});
export type RollbackPreview = z.infer<typeof RollbackPreview>;

/** POST /api/releases/{number}/rollback. `newest` is of the preview: another newest release is `revision_conflict`. */
export const RollBack = z.strictObject({ mode: RollbackMode, reason, newest: z.int() });
/** Either the release that was made, or the change that waits for a second person. */
export const RolledBack = z.object({ release: z.int().nullable(), change: z.int().nullable() });

/** Publishing is stopped: by whom and why. */
export const Freeze = z.object({ by: Person, reason: z.string(), sinceMs: z.int() });
export type Freeze = z.infer<typeof Freeze>;
/** GET /api/releases/freeze */
export const FreezeState = z.object({ freeze: Freeze.nullable(), may: Possible });
/** POST /api/releases/freeze, …/unfreeze */
export const SetFreeze = z.strictObject({ reason });

export const PROMOTES = ['by hand', 'on evidence'] as const;
/** How releases go out. GET and PUT /api/releases/rollout-rules */
export const RolloutRules = z.strictObject({
  staged: z.boolean(),
  promotes: z.enum(PROMOTES),
  /** How long the gateways of a stage are live before the next one opens by itself. */
  afterSeconds: z.int().min(10, 'At least 10 seconds.').max(86_400, 'At most a day.'),
});
export type RolloutRules = z.infer<typeof RolloutRules>;
export const RolloutRulesState = z.object({ rules: RolloutRules, may: Possible });

const side = z.object({
  gateways: z.array(z.string()),
  requests: z.int(),
  failed: z.int(),
  refused: z.int(),
  /** p99 of served requests, milliseconds; null below 1,000 of them. */
  p99Ms: z.number().nullable(),
});

/** The gateways that serve the release against those that still serve the one before, over the same time. */
export const Evidence = z.object({
  sinceMs: z.int(),
  untilMs: z.int(),
  /** The open stages; null with nothing to compare yet. */
  stage: side,
  others: side,
  verdict: z.enum(['not enough requests', 'no worse', 'worse']),
  /** One sentence; of *worse* what is worse, of *not enough requests* how many there are. */
  says: z.string(),
});
export type Evidence = z.infer<typeof Evidence>;

/** How a release goes out in stages. */
export const RolloutView = z.object({
  stage: z.int(),
  stages: z.array(z.array(z.string())),
  state: z.enum(['rolling', 'halted', 'done', 'ended']),
  promotes: z.enum(PROMOTES),
  afterSeconds: z.int(),
  base: z.int(),
  haltReason: z.string().nullable(),
  /** What moves it on, in one sentence; null once it has ended. */
  waitsFor: z.string().nullable(),
  evidence: Evidence.nullable(),
  turns: z.array(
    z.object({ atMs: z.int(), what: z.string(), who: z.string().nullable(), note: z.string().nullable() }),
  ),
  /** Publishes that wait for it. */
  queue: z.array(z.object({ change: z.int().nullable(), cause: z.string(), by: Person, atMs: z.int() })),
});
export type RolloutView = z.infer<typeof RolloutView>;

/** POST /api/releases/{number}/promote, …/resume take the stage that was looked at; …/halt a reason as well. */
export const MoveRollout = z.strictObject({ stage: z.int() });
export const HaltRollout = MoveRollout.extend({ reason });
