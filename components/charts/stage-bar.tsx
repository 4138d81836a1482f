import { formatShare } from '#components/ui/format-number.ts';
import { formatUs } from './duration-axis.ts';

/** One stage of one request. */
export interface StagePart {
  readonly key: string;
  readonly label: string;
  /** What happened in it, in a few words. */
  readonly about: string;
  readonly us: number;
}

interface StageBarProps {
  readonly parts: readonly StagePart[];
  /** First byte in to last byte out. */
  readonly totalUs: number;
}

/** Tones of neighbouring stages, far enough apart for greyscale; the two longest of a request are rarely the same. */
const TONES = ['var(--heat-5)', 'var(--heat-3)', 'var(--heat-6)', 'var(--heat-4)', 'var(--heat-7)'];

/** The stages of one request as one bar on one time axis, and below it each with its begin, its time and its share. */
export function StageBar({ parts, totalUs }: StageBarProps) {
  const placed = placeParts(parts, totalUs);
  return (
    <div>
      <div aria-hidden className="flex h-6 gap-px overflow-hidden rounded-cell bg-sunken">
        {placed.map((part, at) => (
          <span
            key={part.key}
            title={`${part.label} ${formatUs(part.us)}`}
            className="h-full min-w-0.5"
            style={{ flexGrow: part.us, flexBasis: 0, backgroundColor: toneOf(part, at) }}
          />
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-ink-3 text-tick">
        <span>0</span>
        <span>{formatUs(totalUs / 2)}</span>
        <span>{formatUs(totalUs)}</span>
      </div>
      <ol className="mt-2 divide-y divide-line border-line border-y">
        {placed.map((part, at) => (
          <li
            key={part.key}
            className="grid min-h-8 grid-cols-[0.75rem_5rem_minmax(0,1fr)_auto] items-center gap-x-3 py-1"
          >
            <span aria-hidden className="size-2.5 rounded-[1px]" style={{ backgroundColor: toneOf(part, at) }} />
            <span className="font-medium">{part.label}</span>
            <span className="text-ink-3 text-meta">{part.about}</span>
            <span className="whitespace-nowrap text-right">
              {formatUs(part.us)}
              <span className="ml-3 inline-block w-10 text-ink-3 text-meta">
                {totalUs === 0 ? '—' : formatShare(part.us / totalUs)}
              </span>
              <span className="sr-only">, begins at {formatUs(part.fromUs)}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

export interface PlacedPart extends StagePart {
  readonly fromUs: number;
}

/** Each stage with its begin, and what no stage accounts for as a last one, so that the bar is the whole request. */
export function placeParts(parts: readonly StagePart[], totalUs: number): readonly PlacedPart[] {
  let fromUs = 0;
  const placed = parts.map((part) => {
    const begin = fromUs;
    fromUs += part.us;
    return { ...part, fromUs: begin };
  });
  if (totalUs <= fromUs) return placed;
  const rest = { key: 'rest', label: 'rest', about: 'Between and after the stages', us: totalUs - fromUs, fromUs };
  return [...placed, rest];
}

function toneOf(part: PlacedPart, at: number): string {
  return part.key === 'rest' ? 'var(--line)' : (TONES[at % TONES.length] ?? 'var(--heat-5)');
}
