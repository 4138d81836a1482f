import { cn } from './cn.ts';

/** Small state marks. Each differs in shape, so that a state survives greyscale. */
export type MarkKind =
  | 'filled'
  | 'check'
  | 'cross'
  | 'half'
  | 'dashed'
  | 'ring'
  | 'square'
  | 'triangle'
  | 'dot'
  | 'pause'
  | 'back';

const STROKE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const;

const SHAPES: Readonly<Record<MarkKind, React.ReactNode>> = {
  filled: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  check: (
    <>
      <circle cx="6" cy="6" r="5.25" fill="currentColor" />
      <path d="m3.7 6.1 1.6 1.6 3-3.2" fill="none" stroke="var(--surface)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  cross: (
    <g {...STROKE}>
      <rect x="1" y="1" width="10" height="10" rx="1" />
      <path d="m4 4 4 4m0-4-4 4" />
    </g>
  ),
  half: (
    <>
      <circle cx="6" cy="6" r="4.5" {...STROKE} />
      <path d="M6 1.5a4.5 4.5 0 0 1 0 9Z" fill="currentColor" />
    </>
  ),
  dashed: <circle cx="6" cy="6" r="4.5" {...STROKE} strokeDasharray="1.8 2.9" />,
  ring: <circle cx="6" cy="6" r="4.5" {...STROKE} />,
  square: <rect x="1.5" y="1.5" width="9" height="9" rx="1" fill="currentColor" />,
  triangle: <path d="M6 1.2 11.2 10.5H.8Z" fill="currentColor" />,
  dot: <circle cx="6" cy="6" r="2.5" fill="currentColor" />,
  pause: <path d="M4 2.5v7M8 2.5v7" {...STROKE} strokeWidth="2" />,
  back: <path d="M4.5 2 2 4.5 4.5 7M2 4.5h5.5a2.75 2.75 0 0 1 0 5.5H5" {...STROKE} strokeLinejoin="round" />,
};

/** A 12 px state mark, always beside its word. */
export function Mark({ kind, className }: { readonly kind: MarkKind; readonly className?: string | undefined }) {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className={cn('inline-block shrink-0', className)}>
      {SHAPES[kind]}
    </svg>
  );
}
