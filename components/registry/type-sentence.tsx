import { definitionHref } from '#components/definitions/kind-words.ts';
import { formatBytes, formatCount } from '#components/ui/format-number.ts';
import { Sentence } from '#components/ui/sentence.tsx';
import { timeWords } from '#components/ui/time-words.ts';
import { Token } from '#components/ui/token.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';

/** The lead of a type: what it stores or connects, as a sentence with tokens. */
export function TypeSentence({ definition }: { readonly definition: Definition }) {
  if (definition.kind === 'objectType') {
    return (
      <Sentence>
        {definition.document.description} Objects of up to <b>{formatBytes(definition.document.maxBytes)}</b>.
        <CachedFor cache={definition.document.cache} />
      </Sentence>
    );
  }
  if (definition.kind !== 'edgeType') return null;
  const { from, to, cardinality, inverse, description, maxEdges } = definition.document;
  return (
    <Sentence>
      {description} From{' '}
      <Token kind="object" href={definitionHref('objectType', from)}>
        {from}
      </Token>{' '}
      to{' '}
      <Token kind="object" href={definitionHref('objectType', to)}>
        {to}
      </Token>
      {cardinality === 'one' ? (
        <>
          , at most <b>one</b> for each object
        </>
      ) : (
        <>
          , up to <b>{formatCount(maxEdges)}</b> for each object, newest first
        </>
      )}
      {inverse === undefined ? (
        '; no inverse.'
      ) : (
        <>
          ; inverse{' '}
          <Token kind="edge" href={definitionHref('edgeType', inverse)}>
            {inverse}
          </Token>
          .
        </>
      )}
      <CachedFor cache={definition.document.cache} />
    </Sentence>
  );
}

/** What a cached type's reads may show; nothing for one whose reads all ask the store. */
function CachedFor({ cache }: { readonly cache: { readonly ttlMs: number } | undefined }) {
  if (cache === undefined) return null;
  return (
    <>
      {' '}
      A write through one gateway may show at another one up to <b>{timeWords(cache.ttlMs)}</b> late.
    </>
  );
}
