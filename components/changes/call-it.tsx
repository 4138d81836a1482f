import { definitionHref } from '#components/definitions/kind-words.ts';
import { FirstFew } from '#components/ui/first-few.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { type Draft, draftKey } from './draft-book.ts';

const MOST_SHOWN = 5;

/** Once a change is out: its types, whose pages have a command to paste. Nothing when it leaves none. */
export function CallIt({ drafts }: { readonly drafts: readonly Draft[] }) {
  const types = drafts.filter(({ kind, document }) => document !== null && CALLED.has(kind));
  if (types.length === 0) return null;
  return (
    <div className="mb-4 text-ink-2">
      <FirstFew items={types} most={MOST_SHOWN} noun="types">
        {(shown) => (
          <p className="flex flex-wrap items-baseline gap-x-3">
            A command to call with stands on the page of
            {shown.map((draft) => (
              <TextLink key={draftKey(draft.kind, draft.name)} href={definitionHref(draft.kind, draft.name)}>
                <bdi className="font-mono">{draft.name}</bdi>
              </TextLink>
            ))}
          </p>
        )}
      </FirstFew>
    </div>
  );
}

const CALLED: ReadonlySet<Draft['kind']> = new Set(['objectType', 'edgeType']);
