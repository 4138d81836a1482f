'use client';

import { usePathname } from 'next/navigation';
import { LinkButton } from '#components/ui/button.tsx';
import { useFormWiring } from './form-context.ts';

/** *Who may use it?*, answered from the compiled effect of the change, as sentences. */
export function WhoMayUse() {
  const { draft, effects, readOnlyWhy } = useFormWiring();
  const pathname = usePathname();
  const about = effects.filter((effect) => effect.kind === 'access' && names(effect.text, draft.name));
  return (
    <section aria-label="Who may use it" className="grid gap-1">
      <h3 className="font-medium">Who may use it?</h3>
      {about.length === 0 ? (
        <p className="max-w-[60ch] text-ink-2">
          {draft.base === null
            ? 'Nobody yet: no policy permits it. The standing policy opens public and internal types to services of the owner team’s tenants.'
            : 'This change does not alter who may use it.'}
        </p>
      ) : (
        <ul className="grid gap-1">
          {about.map((effect) => (
            <li key={effect.text} className="max-w-[60ch] text-prose">
              {effect.text}
            </li>
          ))}
        </ul>
      )}
      {readOnlyWhy === undefined && (
        <div>
          <LinkButton
            look="quiet"
            className="-ml-2"
            href={`${pathname}?add=policy&for=${encodeURIComponent(draft.name)}`}
          >
            Grant it to someone else
          </LinkButton>
        </div>
      )}
    </section>
  );
}

/** Whether a sentence names this definition, as a whole word. */
function names(text: string, name: string): boolean {
  return text.split(/[^A-Za-z0-9_]+/).includes(name);
}
