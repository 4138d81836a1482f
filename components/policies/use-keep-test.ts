import { useQueryClient } from '@tanstack/react-query';
import { isSame } from '#components/definitions/document.ts';
import { definitionQuery } from '#components/definitions/queries.ts';
import { usePutInChange } from '#components/definitions/use-edit-in-change.ts';
import type { PolicyTest } from '#gateway/contract/definitions/policy.ts';

interface KeptTest {
  readonly policy: string;
  readonly test: PolicyTest;
  /** An open draft of mine; undefined for a new change. */
  readonly change: number | undefined;
}

/** Adds a test to a published policy in a change, and goes to that change. A test that is there already is not added twice. */
export function useKeepTest() {
  const client = useQueryClient();
  return usePutInChange(async ({ policy, test, change }: KeptTest) => {
    const { definition } = await client.fetchQuery(definitionQuery('policy', policy));
    return {
      change,
      definition,
      title: `Test ${policy}`,
      documentOf: (drafted) => {
        const document = drafted ?? definition.document;
        const tests: readonly unknown[] = 'tests' in document && Array.isArray(document.tests) ? document.tests : [];
        return tests.some((one) => isSame(one, test)) ? document : { ...document, tests: [...tests, test] };
      },
    };
  });
}
