import { z } from 'zod';

const entry = (status: number, retryable: boolean) => ({ status, retryable });

/** The one table of the console's error codes. */
export const SERVER_ERRORS = {
  invalid_input: entry(400, false),
  not_signed_in: entry(401, false),
  not_permitted: entry(403, false),
  not_found: entry(404, false),
  /** Somebody else changed it since it was read; the message says what. Nothing was overwritten. */
  conflict: entry(409, false),
  /** Somebody published since the release that was looked at; the message says what. */
  revision_conflict: entry(409, false),
  /** Publishing is stopped; the message says by whom and why. Narrowing acts still pass. */
  publishing_frozen: entry(409, false),
  /** The act does not fit the state, e.g. publishing a draft. */
  wrong_state: entry(409, false),
  /** The change has findings that block. */
  blocked_by_findings: entry(422, false),
  too_many_requests: entry(429, true),
  csrf_refused: entry(403, false),
  /** The command speaks an API that this console no longer takes. */
  client_too_old: entry(426, false),
  database_away: entry(503, true),
  /** The local Cosmos endpoint does not answer, so no fault of it could be switched. */
  cosmos_away: entry(503, true),
  internal: entry(500, false),
} as const;

export type ServerErrorCode = keyof typeof SERVER_ERRORS;
export const ServerErrorCode = z.enum(Object.keys(SERVER_ERRORS) as [ServerErrorCode, ...ServerErrorCode[]]);

/** Body of every refusal of the console's API. `fields` maps a JSON path of the input to what is wrong there. */
export const ConsoleErrorBody = z.object({
  error: z.object({
    code: ServerErrorCode,
    message: z.string(),
    requestId: z.string(),
    retryable: z.boolean(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
});
export type ConsoleErrorBody = z.infer<typeof ConsoleErrorBody>;

/** Every request of a page that changes something carries this header; a foreign site cannot set it without CORS. */
export const CSRF_HEADER = 'x-habitat-csrf';
/** Its value. The Origin header is checked as well. */
export const CSRF_VALUE = '1';
