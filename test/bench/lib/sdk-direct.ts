import { CosmosClient } from '@azure/cosmos';
import { CONTAINER, DATABASE } from '#gateway/store/layout/container.ts';

/**
 * `@azure/cosmos` called directly, with the transport that it brings: `sdk-direct.ts ENDPOINT KEY ID COUNT PARTITIONS…`. Each
 * line `N` on standard input makes it read N times, so many at once, and say how much processor time that took, in µs. What
 * it reads it does not look at: nothing is checked, decrypted, or handed on to anybody.
 */
const [endpoint = '', key = '', id = '', inFlight = '16', ...partitions] = process.argv.slice(2);
const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: false } });
const container = client.database(DATABASE).container(CONTAINER);

async function readMany(count: number): Promise<void> {
  let left = count;
  const reader = async () => {
    while (left > 0) {
      left -= 1;
      const pk = partitions[left % partitions.length] ?? '';
      const { statusCode } = await container.item(id, pk).read({ consistencyLevel: 'Eventual' });
      if (statusCode !== 200) throw new Error(`A read was answered ${statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, reader));
}

await readMany(1);
process.stdout.write('ready\n');
process.stdin.setEncoding('utf8').on('data', async (line: string) => {
  const from = process.cpuUsage();
  await readMany(Number(line));
  const { user, system } = process.cpuUsage(from);
  process.stdout.write(`took ${user + system}\n`);
});
process.stdin.on('end', () => process.exit(0));
