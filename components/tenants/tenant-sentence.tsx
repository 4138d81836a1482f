import { formatCount, plural } from '#components/ui/format-number.ts';
import { Sentence } from '#components/ui/sentence.tsx';
import type { TenantDocument } from '#gateway/contract/definitions/tenant.ts';

/** What a tenant may use, as a sentence: *Up to 500 reads, 200 writes and 10,000 RU a second over all gateways, …* */
export function TenantSentence({ document }: { readonly document: TenantDocument }) {
  const { quotas, mode, targetP99Ms } = document;
  return (
    <Sentence>
      {document.displayName}. Up to <b>{plural(quotas.readsPerSecond, 'read')}</b>,{' '}
      <b>{plural(quotas.writesPerSecond, 'write')}</b> and <b>{formatCount(quotas.ruPerSecond)} RU</b> a second over all
      gateways, and <b>{formatCount(quotas.inFlight)}</b> in flight at each.{' '}
      {mode === 'enforce'
        ? 'Enforced: what exceeds it is refused.'
        : 'Shadow: what exceeds it is counted, never refused.'}{' '}
      {targetP99Ms !== undefined && (
        <>
          Promised p99 <b>{formatCount(targetP99Ms)} ms</b>.
        </>
      )}
    </Sentence>
  );
}
