import {
  ChangeDetail,
  ChangePage,
  ChangeQuery,
  CheckDraft,
  CheckResult,
  CreateChange,
  CreatedChange,
  Edit,
  EmptyBody,
  PublishChange,
  RefreshChange,
  ReviewChange,
  SaveEdit,
  UpdateChange,
} from '../changes.ts';
import { PublishedOrQueued } from '../definitions.ts';
import { type ApiRoutes, Done } from './api-route.ts';

const act = { tag: 'changes', scope: 'changes:write', reply: Done } as const;

/** Routes of changes, from draft to publish. A review takes a person at a page. */
export const CHANGE_ROUTES = {
  'GET /api/changes': {
    summary: 'Changes, newest first.',
    tag: 'changes',
    scope: 'definitions:read',
    query: ChangeQuery,
    reply: ChangePage,
  },
  'POST /api/changes': {
    summary: 'Opens an empty draft.',
    tag: 'changes',
    scope: 'changes:write',
    body: CreateChange,
    reply: CreatedChange,
    isIdempotent: true,
  },
  'GET /api/changes/{number}': {
    summary: 'A change with its edits, findings, effects, reviews and spine.',
    tag: 'changes',
    scope: 'definitions:read',
    reply: ChangeDetail,
    errors: ['not_found'],
  },
  'PATCH /api/changes/{number}': {
    ...act,
    summary: 'Sets title, reason or link; what is absent stays.',
    body: UpdateChange,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/changes/{number}/check': {
    summary: 'Findings and effects of edits as if they were the whole change; saves nothing.',
    tag: 'changes',
    scope: 'definitions:read',
    body: CheckDraft,
    reply: CheckResult,
  },
  'PUT /api/changes/{number}/edits/{kind}/{name}': {
    ...act,
    summary: 'Saves the draft of one definition; a null document removes it.',
    body: SaveEdit,
    reply: Edit,
    errors: ['not_found', 'conflict', 'wrong_state'],
  },
  'DELETE /api/changes/{number}/edits/{kind}/{name}': {
    ...act,
    summary: 'Takes an edit out of the change.',
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/changes/{number}/submit': {
    ...act,
    summary: 'Sends a draft to review.',
    body: EmptyBody,
    errors: ['not_found', 'wrong_state', 'blocked_by_findings'],
  },
  'POST /api/changes/{number}/withdraw': {
    ...act,
    summary: 'Takes it back from review.',
    body: EmptyBody,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/changes/{number}/abandon': {
    ...act,
    summary: 'Closes it for good; nothing published is touched.',
    body: EmptyBody,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/changes/{number}/refresh': {
    ...act,
    summary: 'Lays an outdated change over what is published now.',
    body: RefreshChange,
    errors: ['not_found', 'wrong_state', 'conflict'],
  },
  'POST /api/changes/{number}/review': {
    ...act,
    scope: null,
    summary: 'Approves it or asks for work.',
    body: ReviewChange,
    errors: ['not_found', 'wrong_state', 'conflict'],
  },
  'POST /api/changes/{number}/publish': {
    summary: 'Makes the next release of it. A second call answers the same release.',
    tag: 'changes',
    scope: 'changes:publish',
    body: PublishChange,
    reply: PublishedOrQueued,
    errors: ['not_found', 'wrong_state', 'conflict', 'blocked_by_findings', 'publishing_frozen'],
    isIdempotent: true,
  },
  'POST /api/changes/{number}/unqueue': {
    ...act,
    scope: 'changes:publish',
    summary: 'Takes it out of the queue of publishes; it stays approved.',
    body: EmptyBody,
    errors: ['not_found', 'wrong_state'],
  },
} as const satisfies ApiRoutes;
