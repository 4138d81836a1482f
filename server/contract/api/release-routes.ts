import { Published } from '../definitions.ts';
import { ReleaseDenials } from '../denials.ts';
import { LowerQuota, Narrow, NarrowingPreview } from '../narrowing.ts';
import { CompareQuery, ReleaseDetail, ReleaseDiff, ReleasePage, ReleaseQuery } from '../releases.ts';
import {
  FreezeState,
  HaltRollout,
  MoveRollout,
  RollBack,
  RollbackPreview,
  RollbackQuery,
  RolledBack,
  RolloutRules,
  RolloutRulesState,
  SetFreeze,
} from '../rollouts.ts';
import { type ApiRoutes, Done } from './api-route.ts';

const read = { tag: 'releases', scope: 'definitions:read' } as const;
/** Acts on releases take a person at a page. */
const act = { tag: 'releases', scope: null } as const;

/** Routes of releases and of narrowing acts: reading, rolling back, stages, freezing, cutting off. */
export const RELEASE_ROUTES = {
  'GET /api/releases': { ...read, summary: 'Releases, newest first.', query: ReleaseQuery, reply: ReleasePage },
  'GET /api/releases/{number}': {
    ...read,
    summary: 'One release: what it changed, what was signed, what each gateway answered.',
    reply: ReleaseDetail,
    errors: ['not_found'],
  },
  'GET /api/releases/{number}/diff': {
    ...read,
    summary: 'What differs between two releases, in documents and in effect.',
    query: CompareQuery,
    reply: ReleaseDiff,
    errors: ['not_found'],
  },
  'GET /api/releases/{number}/denials': {
    tag: 'releases',
    scope: 'traffic:read',
    summary: 'Who is refused because of a release: calls that it refuses and the one before let in.',
    reply: ReleaseDenials,
    errors: ['not_found'],
  },
  'GET /api/releases/{number}/rollback': {
    ...read,
    summary: 'What a rollback would do; does nothing.',
    query: RollbackQuery,
    reply: RollbackPreview,
    errors: ['not_found'],
  },
  'POST /api/releases/{number}/rollback': {
    ...act,
    summary: 'Moves definitions back and publishes that at once, or asks a second person where it widens.',
    body: RollBack,
    reply: RolledBack,
    errors: ['not_found', 'revision_conflict', 'wrong_state', 'blocked_by_findings'],
    isIdempotent: true,
  },
  'POST /api/releases/{number}/rollback/read': {
    ...act,
    summary: 'Marks a rollback as read for whoever asks: their pages tell of it no longer.',
    reply: Done,
    errors: ['not_found'],
  },
  'POST /api/releases/{number}/promote': {
    ...act,
    summary: 'Opens the next stage of a rollout.',
    body: MoveRollout,
    reply: Done,
    errors: ['wrong_state', 'conflict', 'publishing_frozen'],
  },
  'POST /api/releases/{number}/halt': {
    ...act,
    summary: 'Halts a rollout where it is.',
    body: HaltRollout,
    reply: Done,
    errors: ['wrong_state', 'conflict'],
  },
  'POST /api/releases/{number}/resume': {
    ...act,
    summary: 'Goes on with a halted rollout.',
    body: MoveRollout,
    reply: Done,
    errors: ['wrong_state', 'conflict'],
  },
  'GET /api/releases/freeze': { ...read, summary: 'Whether publishing is frozen.', reply: FreezeState },
  'POST /api/releases/freeze': {
    ...act,
    summary: 'Stops publishing.',
    body: SetFreeze,
    reply: Done,
    errors: ['wrong_state'],
  },
  'POST /api/releases/unfreeze': {
    ...act,
    summary: 'Allows publishing again.',
    body: SetFreeze,
    reply: Done,
    errors: ['wrong_state'],
  },
  'GET /api/releases/rollout-rules': { ...read, summary: 'How releases go out.', reply: RolloutRulesState },
  'PUT /api/releases/rollout-rules': {
    ...act,
    summary: 'Sets how releases go out from now on.',
    body: RolloutRules,
    reply: Done,
  },
  'GET /api/principals/{name}/disable': {
    ...read,
    summary: 'What disabling a principal would cut off.',
    reply: NarrowingPreview,
    errors: ['not_found'],
  },
  'POST /api/principals/{name}/disable': {
    ...act,
    summary: 'Disables a principal at once, without a review.',
    body: Narrow,
    reply: Published,
    errors: ['not_found', 'wrong_state'],
  },
  'GET /api/policies/{name}/switch-off': {
    ...read,
    summary: 'Who would lose what without this policy.',
    reply: NarrowingPreview,
    errors: ['not_found'],
  },
  'POST /api/policies/{name}/switch-off': {
    ...act,
    summary: 'Switches a grant off at once, without a review.',
    body: Narrow,
    reply: Published,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/tenants/{tenant}/lower-quota': {
    ...act,
    summary: 'Lowers limits of a tenant at once, without a review.',
    body: LowerQuota,
    reply: Published,
    errors: ['not_found', 'wrong_state'],
  },
} as const satisfies ApiRoutes;
