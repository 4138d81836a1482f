'use client';

import Link from 'next/link';
import { Mark } from '#components/ui/mark.tsx';
import { usePreferences } from '#components/ui/preferences.tsx';
import type { Home } from '#server/contract/shell.ts';
import { HomeSection } from './home-section.tsx';

/** The way through Habitat, ticked by what was observed; there is nothing to tick by hand. */
export function FirstSteps({ steps }: { readonly steps: Home['firstSteps'] }) {
  const { setPreference } = usePreferences();
  const next = steps.find(({ done }) => !done);
  return (
    <HomeSection
      title="First steps"
      none=""
      acts={
        <button
          type="button"
          onClick={() => setPreference('firstSteps', 'dismissed')}
          className="min-h-6 rounded-cell text-ink-3 text-meta hover:text-ink"
        >
          Dismiss
        </button>
      }
    >
      {steps.map((step) => (
        <li key={step.id}>
          <Link
            href={step.href}
            prefetch={false}
            className="group flex min-h-11 items-center gap-3 px-4 py-1.5 hover:bg-sunken focus-visible:-outline-offset-2 tablet:pl-0"
          >
            <Mark kind={step.done ? 'check' : 'ring'} className={step.done ? 'text-ok' : 'text-ink-3'} />
            <span className={step.done ? 'grow text-ink-3' : step === next ? 'grow font-medium' : 'grow'}>
              {step.text}
              {step.done && <span className="sr-only"> (done)</span>}
            </span>
            <span aria-hidden className="text-ink-3 group-hover:text-accent">
              →
            </span>
          </Link>
        </li>
      ))}
    </HomeSection>
  );
}
