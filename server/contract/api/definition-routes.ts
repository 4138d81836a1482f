import { Applied, ApplyDefinitions, CheckDefinitions, ExportPage, ExportQuery } from '../as-code.ts';
import { CheckResult } from '../changes.ts';
import {
  CreatedKey,
  CreateKey,
  DefinitionDetail,
  DefinitionPage,
  DefinitionQuery,
  NeighbourPage,
  NeighbourQuery,
  PrincipalKeys,
  Published,
  Received,
  ReceivedQuery,
  RevokeKey,
} from '../definitions.ts';
import type { ApiRoutes } from './api-route.ts';

/** Routes of what is published: definitions, keys. */
export const DEFINITION_ROUTES = {
  'GET /api/definitions': {
    summary: 'Published definitions of one kind, by name.',
    tag: 'definitions',
    scope: 'definitions:read',
    query: DefinitionQuery,
    reply: DefinitionPage,
  },
  'GET /api/definitions/export': {
    summary: 'Everything published with its documents, by kind and name.',
    tag: 'definitions',
    scope: 'definitions:read',
    query: ExportQuery,
    reply: ExportPage,
  },
  'POST /api/definitions/check': {
    summary: 'Findings and effects of edits against what is published; saves nothing.',
    tag: 'definitions',
    scope: 'definitions:read',
    body: CheckDefinitions,
    reply: CheckResult,
  },
  'POST /api/definitions/apply': {
    summary: 'One change for what the files of a repository say otherwise than what is published.',
    tag: 'definitions',
    scope: 'changes:write',
    body: ApplyDefinitions,
    reply: Applied,
    errors: ['conflict', 'revision_conflict', 'wrong_state'],
    isIdempotent: true,
  },
  'GET /api/definitions/{kind}/{name}': {
    summary: 'A definition with its history, who may use it and what it touches.',
    tag: 'definitions',
    scope: 'definitions:read',
    reply: DefinitionDetail,
    errors: ['not_found'],
  },
  'GET /api/definitions/{kind}/{name}/neighbours': {
    summary: 'The edge types around a type, by name.',
    tag: 'definitions',
    scope: 'definitions:read',
    query: NeighbourQuery,
    reply: NeighbourPage,
    errors: ['not_found'],
  },
  'GET /api/definitions/{kind}/{name}/received': {
    summary: 'The newest request for a type since a moment.',
    tag: 'definitions',
    scope: 'traffic:read',
    query: ReceivedQuery,
    reply: Received,
  },
  'GET /api/principals/{name}/keys': {
    summary: 'Keys of a principal, never a secret.',
    tag: 'definitions',
    scope: null,
    reply: PrincipalKeys,
    errors: ['not_found'],
  },
  'POST /api/principals/{name}/keys': {
    summary: 'Makes a key and publishes it at once.',
    tag: 'definitions',
    scope: null,
    body: CreateKey,
    reply: CreatedKey,
    errors: ['not_found'],
  },
  'POST /api/keys/{id}/revoke': {
    summary: 'Revokes a key at once, without a review.',
    tag: 'definitions',
    scope: null,
    body: RevokeKey,
    reply: Published,
    errors: ['not_found'],
  },
} as const satisfies ApiRoutes;
