import { CONTAINER_DEFINITION, DATABASE, type Layout, LEASES_DEFINITION } from '#gateway/store/layout/container.ts';

/** Who may not make containers here can have them made over Azure's own command line. */
export const FORBIDDEN_HELP = [
  'A token of Entra ID never may make or change databases and containers over this endpoint, and a read-only key may not',
  'either. Run this once with COSMOS_KEY, or give these commands to somebody who manages the account:',
  `  az cosmosdb sql database create --account-name <account> --resource-group <group> --name ${DATABASE}`,
  ...[CONTAINER_DEFINITION, LEASES_DEFINITION].map(createCommand),
].join('\n');

function createCommand({ id, partitionKey, defaultTtl, indexingPolicy }: Layout): string {
  const where = `--account-name <account> --resource-group <group> --database-name ${DATABASE} --name ${id}`;
  const key = `--partition-key-path ${partitionKey.paths.join(' ')} --partition-key-version ${partitionKey.version}`;
  const policy = `--ttl ${defaultTtl} --idx '${JSON.stringify(indexingPolicy)}'`;
  return `  az cosmosdb sql container create ${where} ${key} ${policy}`;
}
