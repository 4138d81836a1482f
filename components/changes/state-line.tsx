import { cn } from '#components/ui/cn.ts';
import { Mark } from '#components/ui/mark.tsx';
import type { ChangeState } from '#server/contract/changes.ts';
import { ChangeStateWord } from './change-state-word.tsx';

const WAY: readonly ChangeState[] = ['draft', 'in review', 'approved', 'rolling out', 'live'];
const WORDS = ['Draft', 'In review', 'Approved', 'Rolling out', 'Live'] as const;

/** Where a change is on its way: *Draft ─ ●In review ─ Approved ─ Rolling out ─ Live*. Side states stand alone. */
export function StateLine({ state }: { readonly state: ChangeState }) {
  const at = WAY.indexOf(state);
  if (at === -1) return <ChangeStateWord state={state} />;
  return (
    <ol aria-label="State of the change" className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {WORDS.map((word, index) => (
        <li
          key={word}
          aria-current={index === at ? 'step' : undefined}
          className={cn(
            'inline-flex items-center gap-1.5',
            index === at ? 'font-medium text-ink' : 'text-ink-3 max-tablet:sr-only',
          )}
        >
          {index > 0 && <span aria-hidden className="mr-0.5 hidden h-px w-4 bg-edge tablet:block" />}
          <Mark
            kind={index < at || (index === at && state === 'live') ? 'check' : index === at ? 'filled' : 'ring'}
            className={index === at ? (state === 'live' ? 'text-ok' : 'text-accent') : 'text-ink-3'}
          />
          {word}
        </li>
      ))}
    </ol>
  );
}
