import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { type CosmosRequest, header } from './cosmos-request.ts';

const REGION = 'Local';

/** The account document, from which clients learn regions and the account's consistency. */
export function readAccount(endpoint: Endpoint, request: CosmosRequest): CosmosReply {
  if (request.method !== 'GET') throw new CosmosError(405, 'The account can only be read.');
  const location = { name: REGION, databaseAccountEndpoint: `http://${header(request, 'host') ?? '127.0.0.1'}/` };
  const account = {
    _self: '',
    id: 'habitat-local',
    _rid: 'habitat-local',
    media: '//media/',
    addresses: '//addresses/',
    _dbs: '//dbs/',
    writableLocations: [location],
    readableLocations: [location],
    enableMultipleWriteLocations: false,
    continuousBackupEnabled: false,
    enablePerPartitionFailoverBehavior: false,
    userReplicationPolicy: { asyncReplication: false, minReplicaSetSize: 1, maxReplicasetSize: 4 },
    userConsistencyPolicy: { defaultConsistencyLevel: endpoint.consistency },
    systemReplicationPolicy: { minReplicaSetSize: 1, maxReplicasetSize: 4 },
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: JSON.stringify({ maxSqlQueryInputLength: 262144, maxInExpressionItemsCount: 16000 }),
  };
  return reply(200, JSON.stringify(account), { chargeRu: 0 });
}
