import { CosmosError } from '#gateway/emulator/errors.ts';
import { type Region, takesWrites, urlOf } from '#gateway/emulator/regions/region.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { type CosmosRequest, header } from './cosmos-request.ts';

/** The account document, from which clients learn regions and the account's consistency. The writing region comes first. */
export function readAccount(region: Region, request: CosmosRequest): CosmosReply {
  if (request.method !== 'GET') throw new CosmosError(405, 'The account can only be read.');
  const { account } = region;
  const writing = account.regions.filter(takesWrites);
  const reading = account.regions.filter((other) => !takesWrites(other));
  // The region that was asked goes by the name under which it was reached, which may be that of a proxy.
  const location = (other: Region) => ({
    name: other.name,
    databaseAccountEndpoint:
      other === region ? `http://${header(request, 'host') ?? `${other.host}:${other.port}`}/` : `${urlOf(other)}/`,
  });
  const document = {
    _self: '',
    id: account.name,
    _rid: account.name,
    media: '//media/',
    addresses: '//addresses/',
    _dbs: '//dbs/',
    writableLocations: writing.map(location),
    readableLocations: [...writing, ...reading].map(location),
    enableMultipleWriteLocations: false,
    continuousBackupEnabled: false,
    enablePerPartitionFailoverBehavior: false,
    userReplicationPolicy: { asyncReplication: false, minReplicaSetSize: 1, maxReplicasetSize: 4 },
    userConsistencyPolicy: { defaultConsistencyLevel: account.endpoint.consistency },
    systemReplicationPolicy: { minReplicaSetSize: 1, maxReplicasetSize: 4 },
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: JSON.stringify({ maxSqlQueryInputLength: 262144, maxInExpressionItemsCount: 16000 }),
  };
  return reply(200, JSON.stringify(document), { chargeRu: 0 });
}
