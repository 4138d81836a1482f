import 'server-only';
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { API_HEADER, API_VERSION } from '#server/contract/api/version.ts';
import { type ConsoleErrorBody, SERVER_ERRORS } from '#server/contract/errors.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { fromDatabaseError } from '#server/db/errors.ts';

/** Header that carries the id of a request, in every reply. */
const REQUEST_ID_HEADER = 'Habitat-Request-Id';

/**
 * Runs `work` and answers with what it returns: a Response as it is, anything else as JSON. The only catch of the
 * console's API: a ServerError becomes its status and body, a Prisma error goes through server/db/errors, and an
 * unknown one says *internal* and nothing else, while the log keeps the whole of it under the request's id.
 */
export async function respond(work: (requestId: string) => Promise<unknown>): Promise<Response> {
  const requestId = `creq_${randomBytes(12).toString('hex')}`;
  try {
    return withRequestId(toResponse(await work(requestId)), requestId);
  } catch (error) {
    const known = toServerError(error);
    if (known === null || known.code === 'internal') logFailure(requestId, error);
    return withRequestId(refusal(known ?? unknownError(error), requestId), requestId);
  }
}

/** What every field's message becomes in a reply: JSON path to message. */
export function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.');
    fields[path] ??= issue.message;
  }
  return fields;
}

function toResponse(result: unknown): Response {
  if (result instanceof Response) return result;
  return Response.json(result ?? {}, { headers: { 'Cache-Control': 'no-store' } });
}

function toServerError(error: unknown): ServerError | null {
  if (error instanceof ServerError) return error;
  return fromDatabaseError(error);
}

function unknownError(cause: unknown): ServerError {
  return new ServerError('internal', {
    publicMessage: 'The console failed on this request. Nothing was changed. Tell an operator the request id.',
    cause,
  });
}

function refusal(error: ServerError, requestId: string): Response {
  const { status, retryable } = SERVER_ERRORS[error.code];
  const body: ConsoleErrorBody = {
    error: {
      code: error.code,
      message: error.publicMessage,
      requestId,
      retryable,
      ...(error.fields === undefined ? {} : { fields: { ...error.fields } }),
    },
  };
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  if (error.retryAfterMs !== undefined) headers['Retry-After'] = String(Math.ceil(error.retryAfterMs / 1_000));
  return Response.json(body, { status, headers });
}

function withRequestId(response: Response, requestId: string): Response {
  response.headers.set(REQUEST_ID_HEADER, requestId);
  response.headers.set(API_HEADER, String(API_VERSION));
  return response;
}

function logFailure(requestId: string, error: unknown): void {
  console.error(`${requestId} failed:`, error);
}
