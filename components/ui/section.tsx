import { useId } from 'react';
import { cn } from './cn.ts';

interface SectionProps {
  readonly title: string;
  /** Small facts beside the title: counts, units, source. */
  readonly note?: React.ReactNode;
  readonly acts?: React.ReactNode;
  /** `ruled` draws the hairline box that ledgers and figures sit in; `plain` has no frame. */
  readonly frame?: 'ruled' | 'plain' | undefined;
  readonly children: React.ReactNode;
  readonly className?: string | undefined;
}

/** A part of a page with its heading. Ruled sections that follow each other share a hairline: put them in `<Ruled>`. */
export function Section({ title, note, acts, frame = 'plain', children, className }: SectionProps) {
  const id = useId();
  const isRuled = frame === 'ruled';
  return (
    <section aria-labelledby={id} className={cn('min-w-0', isRuled && 'bg-surface', className)}>
      <div
        className={cn(
          'flex flex-wrap items-baseline gap-x-3 gap-y-1',
          isRuled ? 'border-line border-b px-4 py-2.5' : 'mb-2',
        )}
      >
        <h2 id={id} className="font-semibold text-body">
          {title}
        </h2>
        {note !== undefined && <div className="text-ink-3 text-meta">{note}</div>}
        {acts !== undefined && <div className="ml-auto flex items-center gap-1">{acts}</div>}
      </div>
      {children}
    </section>
  );
}
