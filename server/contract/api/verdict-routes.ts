import {
  AddComment,
  EmptyBody,
  OverrideFinding,
  ResolveComments,
  SetPublishWhenApproved,
} from '#server/contract/changes.ts';
import { Rules, SetRule } from '#server/contract/rules.ts';
import { type ApiRoutes, Done } from './api-route.ts';

const act = { tag: 'changes', scope: 'changes:write', reply: Done } as const;

/** Routes of the verdict of a change: its slow checks, remarks and overrides, and the rules by which it weighs. */
export const VERDICT_ROUTES = {
  'POST /api/changes/{number}/checks': {
    ...act,
    scope: 'definitions:read',
    summary: 'Starts the slow checks whose results are missing or old; they go on by themselves.',
    body: EmptyBody,
    errors: ['not_found'],
  },
  'POST /api/changes/{number}/comments': {
    ...act,
    summary: 'Adds a remark to a field of an edit.',
    body: AddComment,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/changes/{number}/comments/resolve': {
    ...act,
    summary: 'Ends the thread of a field.',
    body: ResolveComments,
    errors: ['not_found', 'wrong_state'],
  },
  'PUT /api/changes/{number}/publish-when-approved': {
    ...act,
    scope: 'changes:publish',
    summary: 'Sets whether the approving act publishes it.',
    body: SetPublishWhenApproved,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/changes/{number}/override': {
    ...act,
    scope: null,
    summary: 'Takes a finding that may be overridden on oneself.',
    body: OverrideFinding,
    errors: ['not_found', 'wrong_state', 'conflict'],
  },
  'GET /api/settings/rules': {
    summary: 'Rules of the checks and what each team made of them.',
    tag: 'people',
    scope: 'definitions:read',
    reply: Rules,
  },
  'PUT /api/settings/teams/{team}/rules/{code}': {
    summary: 'Sets a rule of a team.',
    tag: 'people',
    scope: null,
    body: SetRule,
    reply: Done,
    errors: ['not_found'],
  },
} as const satisfies ApiRoutes;
