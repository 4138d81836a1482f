import type { MarkKind } from '#components/ui/mark.tsx';
import type { SpineEntry } from '#components/ui/spine.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { Tone } from '#components/ui/tone.ts';
import type { SpineStep } from '#server/contract/changes.ts';

const LOOK: Readonly<Record<SpineStep['state'], { readonly mark: MarkKind; readonly tone: Tone }>> = {
  done: { mark: 'check', tone: 'ok' },
  current: { mark: 'half', tone: 'busy' },
  waiting: { mark: 'ring', tone: 'neutral' },
  failed: { mark: 'cross', tone: 'danger' },
};

/** The steps of a change or a release as entries of the one spine. */
export function spineEntries(steps: readonly SpineStep[]): readonly SpineEntry[] {
  return steps.map((step, index) => ({
    id: `${index} ${step.what}`,
    atMs: step.atMs ?? undefined,
    tone: LOOK[step.state].tone,
    mark: { state: LOOK[step.state].mark },
    what: (
      <>
        {step.href === null ? step.what : <TextLink href={step.href}>{step.what}</TextLink>}
        {step.who !== null && <span className="text-ink-2"> · {step.who}</span>}
      </>
    ),
    ...(step.note === null || step.note === '' ? {} : { detail: step.note }),
  }));
}
