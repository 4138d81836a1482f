import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runReportSchema } from './run-reporter.ts';

/** What a step counted. A step that is one check counts one. */
export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for each failure: where, and the first line of why. */
  readonly failures?: readonly string[];
};

export type StepResult = Counts & { readonly name: string; readonly seconds: number };

export type Step = { readonly name: string; run(): Promise<Counts> };

type Command = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** A step that is a Node program: one check, passed when it exits with 0. Its output is shown when it fails. */
export function nodeStep(name: string, ...args: readonly string[]): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await runNode({ args });
      if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
      process.stdout.write(`\n── ${name} ──\n${output}\n`);
      return { passed: 0, failed: 1, skipped: 0, failures: [`exit status ${code}, see its output above`] };
    },
  };
}

/** A step that is a run of vitest, counted by its own report. Output is shown as it comes. */
export function vitestStep(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Step {
  return {
    name,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'habitat-report-'));
      const report = join(folder, 'report.json');
      const reporters = ['--reporter=default', '--reporter=./test/support/run-reporter.ts'];
      const command = ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters];
      try {
        const { code } = await runNode({
          args: command,
          env: { ...env, HABITAT_RUN_REPORT: report },
          isShown: true,
        });
        return countTests(report, code);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Runs lanes beside one another, the steps of a lane one after another, all of them whatever fails. */
export async function runLanes(lanes: readonly (readonly Step[])[]): Promise<readonly StepResult[]> {
  const results = await Promise.all(lanes.map(runLane));
  return results.flat();
}

/** Prints each step with its time, each failure, and the sum of all alone on the last line. Returns the exit status. */
export function summarize(results: readonly StepResult[]): number {
  const total = (key: 'passed' | 'failed' | 'skipped') => results.reduce((sum, result) => sum + result[key], 0);
  process.stdout.write('\n');
  for (const { name, seconds, passed, failed } of results) {
    const verdict = failed === 0 ? 'ok    ' : 'FAILED';
    process.stdout.write(
      `  ${verdict} ${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s  ${passed} of ${passed + failed}\n`,
    );
  }
  const failures = results.flatMap(({ name, failures: lines = [] }) => lines.map((line) => `${name}: ${line}`));
  if (failures.length > 0) process.stdout.write(`\n${failures.map((line) => `  ✗ ${line}`).join('\n')}\n`);
  const skipped = total('skipped') === 0 ? '' : `, ${total('skipped')} skipped`;
  process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed${skipped}\n`);
  return total('failed') === 0 ? 0 : 1;
}

async function runLane(steps: readonly Step[]): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    const startedAt = performance.now();
    const counts = await step.run();
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stdout.write(`${counts.failed === 0 ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)\n`);
    results.push({ name: step.name, seconds, ...counts });
  }
  return results;
}

function countTests(report: string, code: number): Counts {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0, failures: ['the run left no report'] };
  const counted = runReportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  return { ...counted, failed: Math.max(counted.failed, code === 0 ? 0 : 1) };
}

function runNode(
  command: Command & { readonly isShown?: boolean },
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, command.args, {
    env: { ...process.env, ...command.env },
    stdio: command.isShown === true ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
