import { Fragment } from 'react';
import { cn } from './cn.ts';

interface PathTextProps {
  /** A path or URL, with or without a method before it. */
  readonly text: string;
  readonly className?: string | undefined;
}

/** A path that goes on in the next line only before a slash, so that `:changeType` stays one word. What is copied has no breaks. */
export function PathText({ text, className }: PathTextProps) {
  const parts = text.split(/(?<![/:])(?=\/)/);
  return (
    <span className={cn('wrap-break-word font-mono', className)}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
