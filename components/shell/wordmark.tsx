import { cn } from '#components/ui/cn.ts';

interface WordmarkProps {
  /** Name of the installation: LOCAL, or `HABITAT_NAME`. */
  readonly installation?: string | undefined;
  readonly compact?: boolean | undefined;
}

/** The house, the name, and which installation this is. */
export function Wordmark({ installation, compact = false }: WordmarkProps) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <svg
        viewBox="0 0 16 16"
        width="16"
        height="16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        aria-hidden
        className="shrink-0 text-accent"
      >
        <path d="M2 14.25V6.5l6-4.75 6 4.75v7.75M2 10.5h12" />
      </svg>
      <span className={cn('font-semibold text-body', compact && 'sr-only')}>Habitat</span>
      {installation !== undefined && !compact && (
        <span className="truncate rounded-cell border border-edge px-1.5 font-mono text-ink-2 text-tick leading-4">
          {installation}
        </span>
      )}
    </span>
  );
}
