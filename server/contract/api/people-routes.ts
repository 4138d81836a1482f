import { z } from 'zod';
import { Me, SetReviewMode, SetRoleMappings, SetRoles, Settings } from '../people.ts';
import { Home, Inbox, LiveEvent, Shell } from '../shell.ts';
import { CreatedToken, CreateToken, RevokeToken, Tokens } from '../tokens.ts';
import { type ApiRoutes, Done } from './api-route.ts';

const setting = { tag: 'people', scope: null, reply: Done } as const;

/** Routes of people, their settings and tokens, and of the frame around pages. */
export const PEOPLE_ROUTES = {
  'GET /api/me': { summary: 'Who asks, with the rights of this moment.', tag: 'people', scope: 'any', reply: Me },
  'GET /api/tokens': {
    summary: "One's own tokens and those of one's teams' CI.",
    tag: 'people',
    scope: null,
    reply: Tokens,
  },
  'POST /api/tokens': {
    summary: 'Makes a token; its secret is in this reply and nowhere else.',
    tag: 'people',
    scope: null,
    body: CreateToken,
    reply: CreatedToken,
    errors: ['not_found', 'wrong_state'],
  },
  'POST /api/tokens/{id}/revoke': { ...setting, summary: 'Revokes a token.', body: RevokeToken, errors: ['not_found'] },
  'GET /api/settings': { ...setting, summary: 'People, teams and groups.', reply: Settings },
  'PUT /api/settings/people/{id}/roles': {
    ...setting,
    summary: 'Sets the roles of a person.',
    body: SetRoles,
    errors: ['not_found', 'wrong_state'],
  },
  'PUT /api/settings/role-mappings': {
    ...setting,
    summary: 'Replaces the groups that give roles.',
    body: SetRoleMappings,
  },
  'PUT /api/settings/teams/{team}/review-mode': {
    ...setting,
    summary: 'Sets how changes of a team are reviewed.',
    body: SetReviewMode,
    errors: ['not_found'],
  },
  'GET /api/shell': { summary: 'What the frame around pages shows.', tag: 'pages', scope: null, reply: Shell },
  'GET /api/home': {
    summary: 'What needs you, what is wrong now, what happened.',
    tag: 'pages',
    scope: null,
    reply: Home,
  },
  'GET /api/inbox': { summary: 'What waits for you.', tag: 'pages', scope: null, reply: Inbox },
  'POST /api/inbox/{id}/close': {
    summary: 'Closes a follow-up review.',
    tag: 'pages',
    scope: null,
    reply: Done,
    errors: ['not_found', 'wrong_state'],
  },
  'GET /api/live': {
    summary: 'Server-sent events without end: which topics changed.',
    tag: 'pages',
    scope: null,
    reply: LiveEvent,
    mediaType: 'text/event-stream',
  },
  'GET /api/openapi.json': {
    summary: 'This description.',
    tag: 'people',
    scope: 'any',
    reply: z.record(z.string(), z.unknown()),
  },
} as const satisfies ApiRoutes;
