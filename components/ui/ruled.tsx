import { cn } from './cn.ts';

interface RuledProps {
  readonly children: React.ReactNode;
  /** Columns from 900 px up; neighbours share one hairline. */
  readonly columns?: 1 | 2 | 3 | undefined;
  readonly className?: string | undefined;
}

const COLUMNS = { 1: '', 2: 'desk:grid-cols-2', 3: 'desk:grid-cols-3' } as const;

/** The ruled sheet: ledgers and figures lie in it edge to edge, with hairlines and no gaps or shadows. */
export function Ruled({ children, columns = 1, className }: RuledProps) {
  return (
    <div
      className={cn(
        'grid grid-cols-[minmax(0,1fr)] gap-px overflow-clip border border-line bg-line [&>*]:bg-surface',
        COLUMNS[columns],
        className,
      )}
    >
      {children}
    </div>
  );
}
