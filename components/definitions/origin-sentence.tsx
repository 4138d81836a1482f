import { Sentence } from '#components/ui/sentence.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { approvalWords } from './history.tsx';
import { ManagedSentence } from './managed-sentence.tsx';

/** *In r40 since 12 Mar, published by Ana Ruiz, approved by Bo Lind.* */
export function OriginSentence({ detail }: { readonly detail: DefinitionDetail }) {
  const { row, history } = detail;
  const current = history.find((each) => each.revision === row.revision);
  return (
    <Sentence size="prose" className="text-ink-2">
      In{' '}
      <Token kind="release" bare href={`/releases/${row.release}`}>
        r{row.release}
      </Token>{' '}
      since <Time ms={row.changedAtMs} style="date" />, published by {row.changedBy.name}
      {current !== undefined && approvalWords(current)}.
      {detail.managedBy != null && (
        <>
          {' '}
          <ManagedSentence by={detail.managedBy} />
        </>
      )}
    </Sentence>
  );
}
