import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { z } from 'zod';

/** What a run of vitest leaves for the summary: its counts, and each failure by name with the first line of its reason. */
export const runReportSchema = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  failures: z.array(z.string()),
});

export type RunReport = z.infer<typeof runReportSchema>;

type Failure = { readonly message: string; readonly stack?: string | undefined };

/** A reporter of vitest's that writes a `RunReport` as JSON to the file named by `HABITAT_RUN_REPORT`. */
export default class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const path = process.env.HABITAT_RUN_REPORT;
    if (path !== undefined) writeFileSync(path, JSON.stringify(reportOf(modules, unhandled)));
  }
}

function reportOf(modules: readonly TestModule[], unhandled: readonly Failure[]): RunReport {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const ofTests = tests.flatMap((test) => {
    const { state, errors } = test.result();
    return state === 'failed' ? [line(`${test.module.relativeModuleId} > ${test.fullName}`, errors)] : [];
  });
  // A file that could not be loaded, a hook, or an error outside tests fails the run without a failed test.
  const ofSuites = modules.flatMap((module) =>
    [module, ...module.children.allSuites()].flatMap((suite) =>
      suite.errors().length === 0 ? [] : [line(module.relativeModuleId, suite.errors())],
    ),
  );
  const outside = unhandled.map((error) => line('outside any test', [error]));
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  const failures = [...ofTests, ...ofSuites, ...outside];
  return { passed: count('passed'), failed: failures.length, skipped: count('skipped') + count('pending'), failures };
}

function line(where: string, errors: readonly Failure[]): string {
  const [first] = errors;
  const reason = first?.message.split('\n')[0] ?? 'no reason given';
  const place = first?.stack?.split('\n').find((frame) => frame.includes('/test/'));
  return `${where}: ${reason}${place === undefined ? '' : ` (${place.trim()})`}`;
}
