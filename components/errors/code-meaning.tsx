import { Sentence } from '#components/ui/sentence.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { ERRORS, type ErrorCode } from '#gateway/contract/errors.ts';
import { SIDE_WORDS } from './side-words.ts';

/** What a code says without the request that got it: whose side, whether to repeat it, what to do. */
export function CodeMeaning({ code }: { readonly code: ErrorCode }) {
  const { side, retryable, advice } = ERRORS[code];
  return (
    <Sentence size="prose">
      The reply carried{' '}
      <TextLink href={`/errors/${code}`} prefetch={false} className="font-mono">
        {code}
      </TextLink>
      {`, which is on the side of ${SIDE_WORDS[side]}. ${advice} `}
      {retryable ? 'The same request may pass later.' : 'Unchanged it would be answered the same.'}
    </Sentence>
  );
}
