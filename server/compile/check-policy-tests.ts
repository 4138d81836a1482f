import type { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import type { PolicyTestResult } from '#server/contract/changes.ts';
import { createDecider, type Decision, resourceOf, subjectOf } from './decide.ts';
import type { CheckFinding } from './finding.ts';
import type { Catalog, State } from './model.ts';

/** Runs the tests of all policies, or of one. A test that names what does not exist has not passed. */
export function runPolicyTests({ catalog, policies }: State, only?: string): readonly PolicyTestResult[] {
  const tested = [...catalog.policy.values()].filter(
    ({ name, document }) => (document.tests ?? []).length > 0 && (only === undefined || name === only),
  );
  if (tested.length === 0) return [];
  const decider = createDecider('after', policies);
  return tested.flatMap(({ name, document }) =>
    (document.tests ?? []).map((test, index) => ({ policy: name, index, test, ...run(test, catalog, decider.decide) })),
  );
}

/** What failed: `policy_test_failed` says what came out instead and which policy decided. */
export function checkPolicyTests(results: readonly PolicyTestResult[]): readonly CheckFinding[] {
  return results
    .filter(({ hasPassed }) => !hasPassed)
    .map(({ policy, index, test: { principal, action, resource, expect }, said }) => ({
      code: 'policy_test_failed',
      severity: 'error',
      kind: 'policy',
      name: policy,
      path: `tests.${index}`,
      message: `Its test expects that ${principal} ${expect === 'allow' ? 'may' : 'may not'} ${action} ${resource}. ${said}`,
    }));
}

type Outcome = Pick<PolicyTestResult, 'hasPassed' | 'outcome' | 'policies' | 'said'>;

function run(test: PolicyTest, catalog: Catalog, decide: ReturnType<typeof createDecider>['decide']): Outcome {
  const principal = catalog.principal.get(test.principal);
  if (principal === undefined) return undecided(`There is no principal ${test.principal}.`);
  const isEdge = test.action.startsWith('edge.');
  const type = isEdge ? catalog.edgeType.get(test.resource) : catalog.objectType.get(test.resource);
  if (type === undefined) return undecided(`There is no ${isEdge ? 'edge type' : 'object type'} ${test.resource}.`);
  const subject = subjectOf(principal, catalog);
  if (subject === null) return undecided(`Its tenant ${principal.document.tenant} does not exist.`);
  const decision = decide(subject, test.action, { resource: resourceOf(type, catalog), tenant: subject.tenant });
  const { outcome, policies } = decision;
  return { hasPassed: outcome === test.expect, outcome, policies: [...policies], said: cameOut(decision) };
}

function undecided(said: string): Outcome {
  return { hasPassed: false, outcome: null, policies: [], said };
}

function cameOut({ outcome, policies }: Decision): string {
  const by = policies.length === 0 ? 'no policy permits it' : `by ${policies.join(' and ')}`;
  if (outcome === 'conditional') return `It depends on where the request comes from (${by}), so no test can hold it.`;
  if (outcome === 'allow') return `It is allowed, ${by}.`;
  return policies.length === 0 ? `It is denied: ${by}.` : `It is denied, ${by}.`;
}
