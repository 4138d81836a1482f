import { handle } from '#server/http/handle.ts';
import { RequestParam, readRequest } from '#server/telemetry/read-request.ts';

export const GET = handle(RequestParam, readRequest);
