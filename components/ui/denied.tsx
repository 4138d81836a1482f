import { Sentence } from './sentence.tsx';

interface DeniedProps {
  /** Whose it is, what can still be read, who can grant it. The server's message says so; pass it on. */
  readonly children: React.ReactNode;
  readonly acts?: React.ReactNode;
}

/** A page or part that this person may not read. It stays in the navigation and says why. */
export function Denied({ children, acts }: DeniedProps) {
  return (
    <div className="grid justify-items-start gap-3 px-4 py-8">
      <div className="flex gap-2">
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className="mt-1.5 shrink-0 text-ink-3">
          <path d="M2.5 5.5h7v5h-7ZM4 5.5V4a2 2 0 0 1 4 0v1.5" fill="none" stroke="currentColor" strokeWidth="1.25" />
        </svg>
        <Sentence size="prose">{children}</Sentence>
      </div>
      {acts !== undefined && <div className="flex flex-wrap items-center gap-2">{acts}</div>}
    </div>
  );
}
