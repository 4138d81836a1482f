'use client';

import { useState } from 'react';
import { isSame, valueAt } from '#components/definitions/document.ts';
import { PolicyTestLine, verbOf } from '#components/policies/policy-test-line.tsx';
import { Button } from '#components/ui/button.tsx';
import { focusBack } from '#components/ui/focus-now.ts';
import { MAX_POLICY_TESTS, PolicyTest } from '#gateway/contract/definitions/policy.ts';
import { FieldThread } from './field-thread.tsx';
import { useFormWiring } from './form-context.ts';
import { PolicyTestForm } from './policy-test-form.tsx';

/** The tests that are kept with a policy: each a sentence with how it comes out under the draft, and a form for one more. */
export function PolicyTestRows() {
  const { draft, tests: results, issues, set, readOnlyWhy } = useFormWiring();
  const [step, setStep] = useState<'reading' | 'adding' | 'back'>('reading');
  const tests = testsOf(valueAt(draft.document, 'tests'));
  const put = (next: readonly unknown[]) => set('tests', next.length === 0 ? undefined : next);
  const missing = issues.size > 0 ? 'Runs once the rest of the policy is complete.' : 'Not run yet.';
  return (
    <section aria-label="Tests" data-path="tests" className="group/row relative grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium">Tests</h3>
      <p className="max-w-[60ch] text-ink-2">
        What must come out with it: the principal asks in its own tenant, and all policies decide together. Every check
        of any change runs them; one that fails blocks it.
      </p>
      {tests.length > 0 && (
        <ul aria-label="Tests of this policy" className="divide-y divide-line border-line border-y">
          {tests.map((test, index) => (
            <li key={textOf(test)} data-path={`tests.${index}`} className="flex items-start justify-between gap-3 py-2">
              <PolicyTestLine
                test={test}
                result={results.find((one) => one.policy === draft.name && isSame(one.test, test))}
                missing={missing}
              />
              {readOnlyWhy === undefined && (
                <Button look="quiet" onClick={() => put(tests.filter((each) => each !== test))}>
                  Remove<span className="sr-only"> the test {textOf(test)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {readOnlyWhy === undefined &&
        (step === 'adding' ? (
          <PolicyTestForm
            isTaken={(test) => tests.some((one) => isSame(one, test))}
            onAdd={(test) => put([...tests, test])}
            onClose={() => setStep('back')}
          />
        ) : (
          <div>
            <Button
              ref={step === 'back' ? focusBack : undefined}
              onClick={() => setStep('adding')}
              disabledWhy={tests.length < MAX_POLICY_TESTS ? undefined : `A policy keeps ${MAX_POLICY_TESTS} tests.`}
            >
              Add a test
            </Button>
          </div>
        ))}
      <FieldThread path="tests" label="Tests" />
    </section>
  );
}

/** What stands in the draft, as far as it is a test: findings name the rest. */
function testsOf(value: unknown): readonly PolicyTest[] {
  return Array.isArray(value) ? value.flatMap((one) => PolicyTest.safeParse(one).data ?? []) : [];
}

function textOf({ principal, action, resource, expect }: PolicyTest): string {
  return `${principal} ${expect === 'allow' ? 'may' : 'may not'} ${verbOf(action)} ${resource}`;
}
