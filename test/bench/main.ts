import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { costTable } from './cost/cost-table.ts';
import { growth } from './cost/growth.ts';
import type { Pace } from './cost/rounds.ts';
import { stageTable } from './cost/stage-prices.ts';
import { describe, readMachine } from './lib/machine.ts';
import { markdownOf, type Section } from './lib/report.ts';
import { H2LOAD, missing, TASKSET, type Tool } from './lib/tools.ts';
import { pages } from './profiles/pages.ts';
import { profiles } from './profiles/profiles.ts';

/**
 * `npm run bench -- [--quick] [--only cost,stages,growth,profiles,pages] [--json FILE]`: what an operation costs the gateway
 * in processor time, and how long it takes under published mixes. Prints Markdown. Linux, two cores.
 */
interface Part {
  readonly name: string;
  readonly needs: readonly Tool[];
  run(pace: Pace): Promise<Section>;
}

const PARTS: readonly Part[] = [
  { name: 'cost', needs: [TASKSET, H2LOAD], run: costTable },
  { name: 'stages', needs: [TASKSET, H2LOAD], run: stageTable },
  { name: 'growth', needs: [TASKSET, H2LOAD], run: growth },
  { name: 'profiles', needs: [TASKSET], run: profiles },
  { name: 'pages', needs: [TASKSET], run: pages },
];

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, json: { type: 'string' } },
});
const quick = values.quick ?? false;
const names = values.only?.split(',') ?? PARTS.map(({ name }) => name);
const unknown = names.filter((name) => PARTS.every((part) => part.name !== name));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: ${PARTS.map(({ name }) => name).join(', ')}.`);
if (process.platform !== 'linux') throw new Error('The bench reads processor time from /proc, which only Linux has.');

process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const sections: {
  readonly part: string;
  readonly machine: ReturnType<typeof readMachine>;
  readonly section: Section;
}[] = [];
for (const part of PARTS.filter(({ name }) => names.includes(name))) {
  const machine = readMachine();
  const absent = part.needs.map(missing).filter((reason) => reason !== null);
  if (absent.length > 0) {
    process.stdout.write(`\nLeft out ${part.name}: ${absent.join(' ')}\n`);
    continue;
  }
  say(`${part.name} begins`);
  const section = await part.run({ quick, rounds: quick ? 3 : 7, say });
  sections.push({ part: part.name, machine, section });
  process.stdout.write(`\n${markdownOf({ ...section, conditions: [...section.conditions, '', describe(machine)] })}`);
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ quick, sections }, null, 2)}\n`);
