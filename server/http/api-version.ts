import 'server-only';
import { API_HEADER, OLDEST_API } from '#server/contract/api/version.ts';
import { ServerError } from '#server/contract/server-error.ts';

/** Refuses (`client_too_old`) a client that speaks an API no longer taken. One that says nothing is a page or a script. */
export function checkApiVersion(request: Request): void {
  const spoken = request.headers.get(API_HEADER);
  if (spoken === null || Number(spoken) >= OLDEST_API) return;
  throw new ServerError('client_too_old', {
    publicMessage: `This habitat command speaks API ${spoken.slice(0, 20)}, and the console takes ${OLDEST_API} or newer. Update the command to the console's version.`,
  });
}
