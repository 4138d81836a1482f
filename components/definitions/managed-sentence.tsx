import { TextLink } from '#components/ui/text-link.tsx';
import type { ManagedBy } from '#server/contract/managed-by.ts';

/** *Managed in code at git.example/chat · editing here will be overwritten by its next apply.* */
export function ManagedSentence({ by: { source } }: { readonly by: ManagedBy }) {
  const words = source.replace(/^https?:\/\//, '');
  return (
    <span>
      Managed in code at{' '}
      {isAddress(source) ? (
        <TextLink href={source} rel="noreferrer">
          {words}
        </TextLink>
      ) : (
        <bdi className="font-mono">{words}</bdi>
      )}{' '}
      · editing here will be overwritten by its next apply.
    </span>
  );
}

/** Only what a browser may open as a page: a source is whatever an apply named. */
function isAddress(source: string): boolean {
  return URL.canParse(source) && /^https?:$/.test(new URL(source).protocol);
}
