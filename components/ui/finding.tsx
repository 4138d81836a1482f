import { cn } from './cn.ts';
import { Mark, type MarkKind } from './mark.tsx';
import { TONE_TEXT, type Tone } from './tone.ts';

export type FindingSeverity = 'error' | 'warning' | 'info';

interface FindingProps {
  readonly severity: FindingSeverity;
  /** Code of the rule, mono, for searching. */
  readonly code?: string | undefined;
  /** Which definition and field: `Message · maxBytes`. A link when it can be jumped to. */
  readonly place?: React.ReactNode;
  readonly children: React.ReactNode;
  /** A concrete example of what would go wrong. */
  readonly example?: React.ReactNode;
  /** What can be done about it, as buttons. */
  readonly acts?: React.ReactNode;
  readonly className?: string | undefined;
}

const LOOK: Readonly<Record<FindingSeverity, { mark: MarkKind; tone: Tone; word: string }>> = {
  error: { mark: 'square', tone: 'danger', word: 'Blocks' },
  warning: { mark: 'triangle', tone: 'warn', word: 'Warning' },
  info: { mark: 'dot', tone: 'neutral', word: 'Note' },
};

/** One result of checking a change, beside the field that caused it or in the list at the right. */
export function Finding({ severity, code, place, children, example, acts, className }: FindingProps) {
  const look = LOOK[severity];
  return (
    <div className={cn('grid grid-cols-[auto_minmax(0,1fr)] gap-x-2', className)}>
      <Mark kind={look.mark} className={cn('mt-1', TONE_TEXT[look.tone])} />
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0">
            <span className={cn('font-medium', TONE_TEXT[look.tone])}>{look.word}</span>
            {place !== undefined && <span className="text-ink-2"> · {place}</span>}
          </span>
          {code !== undefined && <code className="font-mono text-ink-3 text-meta">{code}</code>}
        </p>
        <p>{children}</p>
        {example !== undefined && <p className="text-ink-2">{example}</p>}
        {acts !== undefined && <div className="-ml-2 flex flex-wrap gap-1">{acts}</div>}
      </div>
    </div>
  );
}

interface FindingCountProps {
  readonly errors: number;
  readonly warnings: number;
}

/** *1 finding blocks, 4 warn*: the summary that the live region also announces. */
export function findingCountText(counts: FindingCountProps): string {
  const [first, ...rest] = countParts(counts);
  if (first === undefined) return 'Nothing to fix';
  const noun = first.count === 1 ? 'finding' : 'findings';
  return [`${first.count} ${noun} ${first.verb}`, ...rest.map(briefly)].join(', ');
}

/** *1 blocks, 4 warn*, beside the name of a part; '' when there is neither. */
export function findingCountBrief(counts: FindingCountProps): string {
  return countParts(counts).map(briefly).join(', ');
}

interface CountPart {
  readonly count: number;
  readonly verb: string;
}

const briefly = ({ count, verb }: CountPart): string => `${count} ${verb}`;

function countParts({ errors, warnings }: FindingCountProps): readonly CountPart[] {
  const parts = [
    { count: errors, verb: errors === 1 ? 'blocks' : 'block' },
    { count: warnings, verb: warnings === 1 ? 'warns' : 'warn' },
  ];
  return parts.filter(({ count }) => count > 0);
}
