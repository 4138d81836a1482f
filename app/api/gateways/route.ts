import { GatewaysQuery, listGateways } from '#server/gateways/list-gateways.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(GatewaysQuery, listGateways);
