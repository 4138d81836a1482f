import { cn } from './cn.ts';
import { CopyButton } from './copy-button.tsx';

interface SnippetProps {
  /** What it is: `curl`, `TypeScript`, `Shell`. */
  readonly title: string;
  readonly code: string;
  /** What became of it, under the code: *Received: 200, r42, 1.0 RU*. */
  readonly result?: React.ReactNode;
  readonly className?: string | undefined;
}

/** The first word of an indented line, with its indent. */
const INDENTED = /^( +\S+)/m;

/** Code that works as pasted. A long line goes on in the next one, which is not copied as a break. */
export function Snippet({ title, code, result, className }: SnippetProps) {
  return (
    <div className={cn('min-w-0 border border-line bg-surface', className)}>
      <div className="flex items-center justify-between gap-3 border-line border-b py-1 pr-2 pl-3">
        <span className="text-ink-3 text-meta">{title}</span>
        <CopyButton text={code} says={`Copy ${title}`} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a pre keeps the lines as they are */}
      <pre
        role="region"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard
        tabIndex={0}
        aria-label={title}
        className="wrap-anywhere overflow-x-auto whitespace-pre-wrap px-3 py-2 font-mono text-meta leading-5 focus-visible:-outline-offset-2"
      >
        <code>{code.split(INDENTED).map(piece)}</code>
      </pre>
      {result !== undefined && <div className="border-line border-t px-3 py-2">{result}</div>}
    </div>
  );
}

/** Every other piece is an indented word: one too long for the line fills it, where a break after the indent would leave an empty line. */
function piece(text: string, at: number): React.ReactNode {
  if (at % 2 === 0) return text;
  return (
    <span key={at} className="[line-break:anywhere]">
      {text}
    </span>
  );
}
