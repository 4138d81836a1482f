import { rmSync } from 'node:fs';
import type { Container } from '@azure/cosmos';
import { afterAll, expect, it } from 'vitest';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { type Program, runProgram } from './run-program.ts';
import { clientOf, newFolder } from './with-emulator.ts';

const ROUNDS = 6;
const WRITERS = 12;
/** A round ends after this many acknowledged batches, so that a slow machine writes as much as a fast one. */
const BATCHES_PER_ROUND = 150;

const dir = newFolder();
let running: Program | undefined;
afterAll(async () => {
  running?.child.kill('SIGKILL');
  await running?.exited;
  rmSync(dir, { recursive: true, force: true });
});

interface Ledger {
  /** Batches by number whose reply arrived. */
  readonly acknowledged: Set<number>;
  sent: number;
}

async function open(): Promise<Container> {
  running = runProgram(dir);
  const client = clientOf(await running.ready, EMULATOR_KEY);
  const { database } = await client.databases.createIfNotExists({ id: 'd' });
  const { container } = await database.containers.createIfNotExists({ id: 'c', partitionKey: { paths: ['/pk'] } });
  return container;
}

const partitionOf = (batch: number): string => `p${batch % 5}`;

/** Two creates and an increment that stand or fall together. */
async function writeBatch(container: Container, batch: number): Promise<boolean> {
  const pk = partitionOf(batch);
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

async function writeUntilKilled(container: Container, ledger: Ledger): Promise<void> {
  const enough = ledger.acknowledged.size + BATCHES_PER_ROUND;
  const writer = async (): Promise<void> => {
    for (;;) {
      const batch = ledger.sent++;
      const done = await writeBatch(container, batch).catch(() => false);
      if (!done) return;
      ledger.acknowledged.add(batch);
      if (ledger.acknowledged.size >= enough) running?.child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await running?.exited;
}

async function readAll(container: Container, pk: string): Promise<Map<string, { n?: number }>> {
  const { resources } = await container.items.query('SELECT * FROM c', { partitionKey: pk }).fetchAll();
  return new Map(resources.map((resource) => [resource.id, resource]));
}

// Proves death of the process. Loss of power is what the flush is for, and no test here pulls the plug.
it('killed in the middle of writes it keeps every acknowledged batch and no half of any', async () => {
  const ledger: Ledger = { acknowledged: new Set(), sent: 0 };
  let container = await open();
  for (const at of [0, 1, 2, 3, 4]) await container.items.create({ id: 'head', pk: partitionOf(at), n: 0 });
  for (let round = 0; round < ROUNDS; round += 1) {
    await writeUntilKilled(container, ledger);
    container = await open();
    for (const at of [0, 1, 2, 3, 4]) {
      const items = await readAll(container, partitionOf(at));
      let whole = 0;
      for (let batch = at; batch < ledger.sent; batch += 5) {
        const halves = [items.has(`${batch}x`), items.has(`${batch}y`)];
        expect(halves[0], `batch ${batch} is whole or absent`).toBe(halves[1]);
        if (halves[0]) whole += 1;
        else expect(ledger.acknowledged.has(batch), `batch ${batch} was acknowledged`).toBe(false);
      }
      expect(items.get('head')?.n).toBe(whole);
    }
  }
  expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * BATCHES_PER_ROUND);
}, 60_000);
