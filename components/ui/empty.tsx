import { Sentence } from './sentence.tsx';

interface EmptyProps {
  /** What is not here and what it would be: "No types yet. A type says what may be stored and how it connects." */
  readonly children: React.ReactNode;
  /** The next step, as links or buttons. */
  readonly acts?: React.ReactNode;
}

/** Nothing here yet, or no row matches. Says what to do next; has no picture. */
export function Empty({ children, acts }: EmptyProps) {
  return (
    <div className="grid justify-items-start gap-3 px-4 py-8">
      <Sentence size="prose">{children}</Sentence>
      {acts !== undefined && <div className="flex flex-wrap items-center gap-2">{acts}</div>}
    </div>
  );
}
