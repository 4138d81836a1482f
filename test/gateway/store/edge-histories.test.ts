import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { type Fate, type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import { type Fixture, idOf, keyed, keyOf, messages, newCall, servedBy, startFixture } from './store-fixture.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
let stores: Store[];
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
  stores = [fixture.store, fixture.another(), fixture.another(proxy.url), fixture.another(proxy.url)];
});
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

interface Command {
  readonly isPut: boolean;
  readonly target: number;
  readonly isKeyed: boolean;
  /** What happens to the write's batches that pass the proxy, one after another. */
  readonly fault: 'none' | 'commit then reset' | 'lose';
}

const command: fc.Arbitrary<Command> = fc.record({
  isPut: fc.boolean(),
  target: fc.integer({ min: 0, max: 5 }),
  isKeyed: fc.boolean(),
  fault: fc.constantFrom('none', 'none', 'none', 'commit then reset', 'lose'),
});

interface Told {
  readonly target: number;
  /** +1 the write made the edge, −1 removed it, 0 neither; null when its outcome was not told. */
  readonly change: number | null;
}

let rooms = 0;

describe('puts and deletes of several gateways on one object, with lost replies', () => {
  it('leave count = list = what the acknowledged outcomes add up to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { minLength: 8, maxLength: 8 }), { minLength: 4, maxLength: 4 }),
        async (clients) => {
          rooms += 1;
          const from = keyOf('Conversation', `history-${rooms}`);
          const faults = clients.flat().flatMap(({ fault }): Fate[] => (fault === 'none' ? [] : [{ kind: fault }]));
          let batches = 0;
          proxy.decide((seen) => {
            if (!seen.isBatch) return { kind: 'pass' };
            batches += 1;
            return (batches % 3 === 0 ? faults.pop() : undefined) ?? { kind: 'pass' };
          });
          const told = (await Promise.all(clients.map((commands, client) => runClient(from, client, commands)))).flat();
          proxy.decide(() => ({ kind: 'pass' }));

          const edge = { from, rule: messages };
          const want = { limit: 100, afterS: null, afterMs: null, beforeMs: null };
          const present = (await servedBy(fixture.store.listEdges(edge, want, newCall()))).edges.map(
            ({ toId }) => toId,
          );
          expect(await servedBy(fixture.store.countEdges(edge, newCall()))).toBe(present.length);
          for (let target = 0; target <= 5; target += 1) {
            const own = told.filter((one) => one.target === target);
            if (own.some((one) => one.change === null)) continue;
            const sum = own.reduce((total, one) => total + (one.change ?? 0), 0);
            expect({ target, present: present.includes(idOf(`m${target}`)) }).toEqual({ target, present: sum === 1 });
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);
});

async function runClient(
  from: ReturnType<typeof keyOf>,
  client: number,
  commands: readonly Command[],
): Promise<Told[]> {
  const store = stores[client % stores.length] ?? fixture.store;
  const told: Told[] = [];
  for (const [index, { isPut, target, isKeyed }] of commands.entries()) {
    const edge = { from, rule: messages, toId: idOf(`m${target}`) };
    const call = newCall(isKeyed ? keyed(`${client}-${index}`) : {});
    const answer = isPut
      ? await store.putEdge(edge, { timeMs: index, data: null }, call)
      : await store.deleteEdge(edge, call);
    if (isDenial(answer)) {
      // Contention that ends in a refusal is honest and changed nothing; an unknown outcome may be either.
      expect(['write_contended', 'outcome_unknown']).toContain(answer.code);
      told.push({ target, change: answer.code === 'outcome_unknown' ? null : 0 });
    } else if ('created' in answer.value) told.push({ target, change: answer.value.created ? 1 : 0 });
    else told.push({ target, change: answer.value.deleted ? -1 : 0 });
  }
  return told;
}
