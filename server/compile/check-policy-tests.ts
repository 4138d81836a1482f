import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { createDecider, type Decision, resourceOf, subjectOf } from './decide.ts';
import type { CheckFinding } from './finding.ts';
import type { Catalog, State } from './model.ts';

type PolicyTest = NonNullable<DefinitionOf<'policy'>['document']['tests']>[number];

/**
 * Runs the tests that are kept with policies, all of them whatever the change edits, under all policies together:
 * `policy_test_failed` says what came out instead and which policy decided. A test that names what does not exist fails.
 */
export function checkPolicyTests({ catalog, policies }: State): readonly CheckFinding[] {
  const tested = [...catalog.policy.values()].filter(({ document }) => (document.tests ?? []).length > 0);
  if (tested.length === 0) return [];
  const decider = createDecider('after', policies);
  return tested.flatMap((policy) =>
    (policy.document.tests ?? []).flatMap((test, index): readonly CheckFinding[] => {
      const problem = problemOf(test, catalog, decider.decide);
      if (problem === null) return [];
      const { principal, action, resource, expect } = test;
      return [
        {
          code: 'policy_test_failed',
          severity: 'error',
          kind: 'policy',
          name: policy.name,
          path: `tests.${index}`,
          message: `Its test expects that ${principal} ${expect === 'allow' ? 'may' : 'may not'} ${action} ${resource}. ${problem}`,
        },
      ];
    }),
  );
}

function problemOf(
  test: PolicyTest,
  catalog: Catalog,
  decide: ReturnType<typeof createDecider>['decide'],
): string | null {
  const principal = catalog.principal.get(test.principal);
  if (principal === undefined) return `There is no principal ${test.principal}.`;
  const isEdge = test.action.startsWith('edge.');
  const type = isEdge ? catalog.edgeType.get(test.resource) : catalog.objectType.get(test.resource);
  if (type === undefined) return `There is no ${isEdge ? 'edge type' : 'object type'} ${test.resource}.`;
  const subject = subjectOf(principal, catalog);
  if (subject === null) return `Its tenant ${principal.document.tenant} does not exist.`;
  const decision = decide(subject, test.action, { resource: resourceOf(type, catalog), tenant: subject.tenant });
  return decision.outcome === test.expect ? null : cameOut(decision);
}

function cameOut({ outcome, policies }: Decision): string {
  const by = policies.length === 0 ? 'no policy permits it' : `by ${policies.join(' and ')}`;
  if (outcome === 'conditional') return `It depends on where the request comes from (${by}), so no test can hold it.`;
  return outcome === 'allow' ? `It is allowed, ${by}.` : `It is denied: ${by}.`;
}
