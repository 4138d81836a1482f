import { cn } from './cn.ts';

interface SentenceProps {
  readonly children: React.ReactNode;
  /** `lead` opens a page, `prose` explains, `body` sits in rows and panels. */
  readonly size?: 'lead' | 'prose' | 'body' | undefined;
  readonly className?: string | undefined;
}

const SIZE = { lead: 'text-lead', prose: 'text-prose', body: 'text-body' } as const;

/** A statement with typed tokens inside. Use `<Token>` for things, `<Time>` for moments, `<b>` for the figure that matters. */
export function Sentence({ children, size = 'lead', className }: SentenceProps) {
  return (
    <p className={cn('max-w-[72ch] text-ink [&_b]:font-semibold [&_strong]:font-semibold', SIZE[size], className)}>
      {children}
    </p>
  );
}
