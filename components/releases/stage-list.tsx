import { cn } from '#components/ui/cn.ts';
import { Mark } from '#components/ui/mark.tsx';
import type { ReleaseDetail } from '#server/contract/releases.ts';
import type { RolloutView } from '#server/contract/rollouts.ts';

interface StageListProps {
  readonly rollout: RolloutView;
  readonly gateways: ReleaseDetail['gateways'];
}

/** The stages in their order with the gateways of each; everybody who is in no earlier one is in the last. */
export function StageList({ rollout, gateways }: StageListProps) {
  const named = new Set(rollout.stages.flat());
  const rest = gateways.map(({ gateway }) => gateway).filter((gateway) => !named.has(gateway));
  const stages = [...rollout.stages, rest];
  return (
    <ol aria-label="Stages" className="grid gap-1.5">
      {stages.map((names, index) => {
        const stage = index + 1;
        const isOpen = stage <= rollout.stage;
        const isCurrent = stage === rollout.stage && rollout.waitsFor !== null;
        return (
          <li
            key={stage}
            aria-current={isCurrent ? 'step' : undefined}
            className={cn('flex flex-wrap items-baseline gap-x-3', !isOpen && 'text-ink-3')}
          >
            <span className="inline-flex w-24 shrink-0 items-center gap-1.5">
              <Mark
                kind={isCurrent ? 'half' : isOpen ? 'check' : 'ring'}
                className={isCurrent ? 'text-accent' : isOpen ? 'text-ok' : 'text-ink-3'}
              />
              Stage {stage}
            </span>
            <span className="min-w-0 break-words font-mono">{namesOf(names, stage === stages.length)}</span>
          </li>
        );
      })}
    </ol>
  );
}

const SHOWN = 6;

function namesOf(names: readonly string[], isLast: boolean): string {
  if (names.length === 0) return isLast ? 'all other gateways' : 'no gateway left';
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
