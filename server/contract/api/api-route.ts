import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { ServerErrorCode } from '../errors.ts';
import type { Scope } from '../scopes.ts';

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path template, e.g. `POST /api/changes/{number}/submit`. */
export type ApiRouteKey = `${ApiMethod} /api/${string}`;

/** What one route of the console's API takes and answers. */
export interface ApiRoute {
  readonly summary: string;
  readonly tag: 'changes' | 'definitions' | 'releases' | 'traffic' | 'audit' | 'people' | 'pages';
  /** What a token needs for it; `any` takes every token, null none: only a signed-in person's page. */
  readonly scope: Scope | 'any' | null;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: z.ZodType;
  /** Codes beside those that every route may answer. */
  readonly errors?: readonly ServerErrorCode[];
  /** Takes an Idempotency-Key. */
  readonly isIdempotent?: true;
  /** Answers this instead of JSON. */
  readonly mediaType?: string;
}

export type ApiRoutes = Readonly<Record<ApiRouteKey, ApiRoute>>;

/** Every name that stands in braces in a path. */
export const PATH_PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  number: z.int().min(1).max(2_147_483_647),
  kind: DefinitionKind,
  name: z.string().min(1).max(64),
  id: z.string().min(1).max(100),
  team: z.string().max(48),
  code: z.string().max(40),
  tenant: z.string().max(48),
};

/** Reply of an act that answers nothing beyond having been done. */
export const Done = z.object({});
/** Codes that every route may refuse with. */
export const COMMON_ERRORS: readonly ServerErrorCode[] = [
  'invalid_input',
  'not_signed_in',
  'not_permitted',
  'too_many_requests',
  'client_too_old',
  'database_away',
  'internal',
];
