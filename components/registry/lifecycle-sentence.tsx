import { Sentence } from '#components/ui/sentence.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';

/** What a type on its way out means for its callers, and who they still are; nothing for an active one. */
export function LifecycleSentence({ detail }: { readonly detail: DefinitionDetail }) {
  const { definition, removed, users } = detail;
  if (removed !== null) {
    return (
      <Sentence>
        {removed.by.name} removed it in{' '}
        <Token kind="release" bare href={`/releases/${removed.release}`}>
          r{removed.release}
        </Token>{' '}
        <Time ms={removed.atMs} style="ago" />. Its name stays taken, and what is stored stays; restoring brings both
        back.
      </Sentence>
    );
  }
  if (definition.kind !== 'objectType' && definition.kind !== 'edgeType') return null;
  const { lifecycle } = definition.document;
  if (lifecycle === undefined) return null;
  const callers = users.filter(({ lastUsedMs }) => lastUsedMs !== null).map(({ principal }) => principal);
  return (
    <Sentence>
      Deprecated since {lifecycle.since}
      {lifecycle.sunset !== undefined && <>, to go on {lifecycle.sunset}</>}:{' '}
      {lifecycle.state === 'deprecated-warn' ? 'served, and every reply says so.' : 'every request is refused.'}
      {lifecycle.replacement !== undefined && <> Instead: “{lifecycle.replacement}”</>}{' '}
      {callers.length === 0
        ? 'Nobody you may see asked for it in 30 days.'
        : `${callers.length === 1 ? 'One caller' : `${callers.length} callers`} in 30 days: ${callers.join(', ')}.`}
    </Sentence>
  );
}
