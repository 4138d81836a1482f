interface LoadingProps {
  /** What is coming: "Types". */
  readonly label: string;
  /** Rows of the final size, so that nothing moves when they arrive. */
  readonly rows?: number | undefined;
}

const WIDTHS = ['w-2/5', 'w-3/5', 'w-1/3', 'w-1/2'] as const;

/** The shape of what is coming. It does not shimmer. */
export function Loading({ label, rows = 6 }: LoadingProps) {
  return (
    <div role="status" aria-label={`Loading ${label.toLowerCase()}`} className="divide-y divide-line">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={at} className="flex h-(--row) items-center px-4">
          <div className={`h-2.5 rounded-cell bg-sunken ${WIDTHS[at % WIDTHS.length]}`} />
        </div>
      ))}
    </div>
  );
}
