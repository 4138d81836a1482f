import { rmSync } from 'node:fs';
import type { Container } from '@azure/cosmos';
import { afterAll, expect, it } from 'vitest';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { type WarmEndpoint, warmEndpoint } from './warm-endpoint.ts';
import { clientOf, newFolder } from './with-emulator.ts';

/** `HABITAT_SOAK=1` asks for all of them. */
const ROUNDS = process.env.HABITAT_SOAK === '1' ? 200 : 40;
const WRITERS = 12;
const PARTITIONS = 3;

const dir = newFolder();
const running = new Set<WarmEndpoint>();
afterAll(async () => {
  await Promise.all([...running].map((endpoint) => endpoint.kill()));
  rmSync(dir, { recursive: true, force: true });
});

function warm(): WarmEndpoint {
  const endpoint = warmEndpoint();
  running.add(endpoint);
  return endpoint;
}

async function kill(endpoint: WarmEndpoint): Promise<void> {
  await endpoint.kill();
  running.delete(endpoint);
}

async function open(endpoint: WarmEndpoint): Promise<Container> {
  const client = clientOf(await endpoint.open(dir), EMULATOR_KEY);
  const { database } = await client.databases.createIfNotExists({ id: 'd' });
  const { container } = await database.containers.createIfNotExists({ id: 'c', partitionKey: { paths: ['/pk'] } });
  return container;
}

/** What a round sent, and what of it was acknowledged before the kill. */
interface Ledger {
  readonly round: number;
  readonly acknowledged: Set<number>;
  sent: number;
}

const partitionOf = ({ round }: Ledger, batch: number): string => `r${round}-${batch % PARTITIONS}`;

/** Two creates and an increment that stand or fall together. */
async function writeBatch(container: Container, ledger: Ledger, batch: number): Promise<boolean> {
  const pk = partitionOf(ledger, batch);
  const { code } = await container.items.batch(
    [
      { operationType: 'Create', resourceBody: { id: `${batch}x`, pk, fill: 'x'.repeat(500) } },
      { operationType: 'Patch', id: 'head', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] } },
      { operationType: 'Create', resourceBody: { id: `${batch}y`, pk } },
    ],
    pk,
  );
  return code === 200;
}

/** Writes from many sides and kills the process at an acknowledgement, while the others are on their way. */
async function writeUntilKilled(container: Container, endpoint: WarmEndpoint, round: number): Promise<Ledger> {
  const ledger: Ledger = { round, acknowledged: new Set(), sent: 0 };
  for (let at = 0; at < PARTITIONS; at += 1) {
    await container.items.create({ id: 'head', pk: partitionOf(ledger, at), n: 0 });
  }
  const enough = 10 + ((round * 13) % 50);
  let killed: Promise<void> | undefined;
  const writer = async (): Promise<void> => {
    for (;;) {
      const batch = ledger.sent++;
      const done = await writeBatch(container, ledger, batch).catch(() => false);
      if (!done) return;
      ledger.acknowledged.add(batch);
      if (ledger.acknowledged.size >= enough) killed ??= kill(endpoint);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await killed;
  return ledger;
}

async function expectWhole(container: Container, ledger: Ledger): Promise<void> {
  for (let at = 0; at < PARTITIONS; at += 1) {
    const pk = partitionOf(ledger, at);
    const { resources } = await container.items.query('SELECT * FROM c', { partitionKey: pk }).fetchAll();
    const items = new Map(resources.map((resource) => [resource.id, resource]));
    let whole = 0;
    for (let batch = at; batch < ledger.sent; batch += PARTITIONS) {
      const halves = [items.has(`${batch}x`), items.has(`${batch}y`)];
      expect(halves[0], `batch ${batch} of round ${ledger.round} is whole or absent`).toBe(halves[1]);
      if (halves[0]) whole += 1;
      else expect(ledger.acknowledged.has(batch), `batch ${batch} of ${ledger.round} was acknowledged`).toBe(false);
    }
    expect(items.get('head')?.n).toBe(whole);
  }
}

// Proves death of the process. Loss of power is what the flush is for, and no test here pulls the plug.
it(`killed in the middle of writes ${ROUNDS} times it keeps every acknowledged batch and no half of any`, async () => {
  const ledgers: Ledger[] = [];
  let next = warm();
  let endpoint = warm();
  let container = await open(endpoint);
  for (let round = 0; round < ROUNDS; round += 1) {
    const ledger = await writeUntilKilled(container, endpoint, round);
    endpoint = next;
    next = warm();
    container = await open(endpoint);
    await expectWhole(container, ledger);
    ledgers.push(ledger);
  }
  // What a round kept, the kills after it have kept as well.
  for (const ledger of ledgers) await expectWhole(container, ledger);
  const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged.size, 0);
  expect(acknowledged).toBeGreaterThanOrEqual(ROUNDS * 10);
  expect(ledgers.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(acknowledged);
}, 600_000);
