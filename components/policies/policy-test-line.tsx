import { definitionHref, kindOfType } from '#components/definitions/kind-words.ts';
import { StateWord } from '#components/ui/state-word.tsx';
import { Token } from '#components/ui/token.tsx';
import type { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import type { PolicyTestResult } from '#server/contract/changes.ts';

interface PolicyTestLineProps {
  readonly test: PolicyTest;
  /** Undefined where it has not been run. */
  readonly result: Pick<PolicyTestResult, 'hasPassed' | 'said'> | undefined;
  /** What stands in the place of a result that is not there. */
  readonly missing: string;
}

/** One test as a sentence, and how it came out: who decided, or what came out instead. */
export function PolicyTestLine({ test, result, missing }: PolicyTestLineProps) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <p>
        <Token kind="principal" href={definitionHref('principal', test.principal)}>
          {test.principal}
        </Token>{' '}
        <b className="font-semibold">{test.expect === 'allow' ? 'may' : 'may not'}</b> {verbOf(test.action)}{' '}
        <Token
          kind={kindOfType(test.resource) === 'objectType' ? 'object' : 'edge'}
          href={definitionHref(kindOfType(test.resource), test.resource)}
        >
          {test.resource}
        </Token>
      </p>
      {result === undefined ? (
        <p className="text-ink-3">{missing}</p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2">
          <StateWord mark={result.hasPassed ? 'check' : 'square'} tone={result.hasPassed ? 'ok' : 'danger'}>
            {result.hasPassed ? 'Passes' : 'Fails'}
          </StateWord>
          <span className="text-ink-2">{result.said}</span>
        </p>
      )}
    </div>
  );
}

/** *read*, *write* or *delete* of an action of objects or edges. */
export function verbOf(action: PolicyTest['action']): string {
  return action.replace(/^(object|edge)\./, '');
}
