'use client';

import type { TooltipContentProps } from 'recharts';
import { Time } from '#components/ui/time.tsx';
import { OUTCOMES } from '#gateway/contract/errors.ts';
import { TooltipBox } from './chart-tooltip.tsx';
import { OUTCOME_WORDS } from './outcome-words.ts';
import { perSecondWords } from './per-second.ts';
import { Swatch } from './swatch.tsx';
import type { OutcomeBar } from './thin-points.ts';

/** One bar in figures; outcomes that did not happen are left out. */
export function StackTooltip({ active, payload }: Partial<Pick<TooltipContentProps, 'active' | 'payload'>>) {
  const bar = payload?.[0]?.payload as OutcomeBar | undefined;
  if (active !== true || bar === undefined) return null;
  const present = OUTCOMES.filter((outcome) => bar.perSecond[outcome] > 0);
  return (
    <TooltipBox>
      <p className="text-ink-3 text-meta">
        <Time ms={bar.atMs} style="second" />–<Time ms={bar.atMs + bar.widthMs} style="second" />
      </p>
      {present.length === 0 && <p>{bar.gap ? 'No gateway reported' : 'No requests'}</p>}
      <dl className="grid grid-cols-[auto_auto] gap-x-4">
        {present.toReversed().map((outcome) => (
          <div key={outcome} className="contents">
            <dt className="flex items-center gap-1.5 text-ink-2">
              <Swatch outcome={outcome} />
              {OUTCOME_WORDS[outcome].label}
            </dt>
            <dd className="text-right">{perSecondWords(bar.perSecond[outcome])}</dd>
          </div>
        ))}
      </dl>
    </TooltipBox>
  );
}
