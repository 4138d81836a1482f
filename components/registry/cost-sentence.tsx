import { formatCount, formatRu, formatShare } from '#components/ui/format-number.ts';
import { Sentence } from '#components/ui/sentence.tsx';
import type { OperationCost } from '#server/contract/definitions.ts';
import { inOrder } from './cost-words.ts';

/** With fewer requests behind them, figures say so. */
const FEW = 100;

/** What each operation on a type cost in the last 7 days, by served requests, and how much of it caches answered. */
export function CostSentence({ cost }: { readonly cost: readonly OperationCost[] }) {
  if (cost.length === 0) return null;
  const requests = cost.reduce((sum, one) => sum + one.requests, 0);
  return (
    <Sentence size="prose" className="text-ink-2">
      Cost:{' '}
      {inOrder(cost).map(({ operation, ru, cached }, index) => (
        <span key={operation} className="whitespace-nowrap">
          {index > 0 && ' · '}
          {operation} <span className="text-ink tabular-nums">{formatRu(ru)}</span>
          {cached !== null && `, ${formatShare(cached)} cached`}
        </span>
      ))}
      <span className="text-ink-3">
        {' '}
        ({requests < FEW ? 'only ' : ''}
        {formatCount(requests)} served in 7 days)
      </span>
    </Sentence>
  );
}
