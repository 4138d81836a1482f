import 'server-only';
import { CSRF_HEADER, CSRF_VALUE } from '#server/contract/errors.ts';
import { ServerError } from '#server/contract/server-error.ts';

/**
 * Refuses a changing request that did not come from a page of this console (`csrf_refused`). Two locks: a header that a
 * foreign site cannot set without our leave by CORS, and the Origin, which the browser writes and a page cannot.
 */
export function checkCsrf(request: Request, consoleUrl: string): void {
  if (request.headers.get(CSRF_HEADER) !== CSRF_VALUE) refuse(`The request lacks the header ${CSRF_HEADER}.`);
  const origin = request.headers.get('origin');
  if (origin === null || !isOwnOrigin(origin, request, consoleUrl)) {
    refuse('The request comes from a page of another site.');
  }
}

/** The console's configured origin, or the host the browser itself addressed, e.g. 127.0.0.1 for localhost. */
function isOwnOrigin(origin: string, request: Request, consoleUrl: string): boolean {
  if (origin === new URL(consoleUrl).origin) return true;
  const host = request.headers.get('host');
  return URL.canParse(origin) && host !== null && new URL(origin).host === host;
}

function refuse(publicMessage: string): never {
  throw new ServerError('csrf_refused', { publicMessage });
}
