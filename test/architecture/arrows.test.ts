import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listSourceFiles } from '#test/support/source-files.ts';

const root = resolve(import.meta.dirname, '..', '..');
const MAX_LINES = 300;

const reportSchema = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

test('the arrows hold: no module imports what its place forbids', { timeout: 120_000 }, () => {
  const report = cruise(['app', 'components', 'server', 'gateway', 'prisma', 'test', 'proxy.ts']);
  expect(report.totalCruised).toBeGreaterThan(300);
  expect(report.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
});

test('no source file passes 300 lines', () => {
  const tooLong = listSourceFiles(root)
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(tooLong).toEqual([]);
});

test('every file of the product is reached by the arrows', () => {
  const folders = new Set(listSourceFiles(root).map((file) => file.slice(root.length + 1).split('/')[0]));
  // The example application of docs imports the client's package and nothing else, which its own test holds.
  const known = ['app', 'components', 'server', 'gateway', 'prisma', 'test', 'docs'];
  const atRoot = ['next.config.js', 'postcss.config.mjs', 'prisma.config.ts', 'proxy.ts', 'vitest.config.ts'];
  expect(
    [...folders].filter((folder) => ![...known, ...atRoot, '.dependency-cruiser.cjs'].includes(folder ?? '')),
  ).toEqual([]);
});

function cruise(paths: readonly string[]): z.infer<typeof reportSchema>['summary'] {
  const command = resolve(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const args = [command, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...paths];
  const outcome = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  return reportSchema.parse(JSON.parse(outcome.stdout)).summary;
}
