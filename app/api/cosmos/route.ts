import { CosmosQuery, readCosmos } from '#server/cosmos/read-cosmos.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(CosmosQuery, readCosmos);
