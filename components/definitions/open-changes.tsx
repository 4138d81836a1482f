import { Mark } from '#components/ui/mark.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';

/** The open changes that touch a definition, so that nobody starts a second one unaware. */
export function OpenChanges({ changes }: { readonly changes: DefinitionDetail['openChanges'] }) {
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Open changes that touch it" className="grid gap-1">
      {changes.map((change) => (
        <li key={change.number} className="flex flex-wrap items-baseline gap-x-2">
          <Mark kind="half" className="translate-y-px text-accent" />
          <Token kind="change" href={`/changes/${change.number}`}>
            ∆{change.number} {change.title}
          </Token>
          <span className="text-ink-2">is {change.state} and touches it.</span>
        </li>
      ))}
    </ul>
  );
}
