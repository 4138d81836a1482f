import { RequestQuery } from '#server/contract/requests.ts';
import { handle } from '#server/http/handle.ts';
import { listRequests } from '#server/telemetry/list-requests.ts';

export const GET = handle(RequestQuery, listRequests);
