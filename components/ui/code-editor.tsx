'use client';

import { useRef } from 'react';
import { cn } from './cn.ts';
import { useFieldProps } from './field.tsx';

interface CodeEditorProps extends Omit<React.ComponentProps<'textarea'>, 'value'> {
  readonly value: string;
  /** Lines that findings point at, 1-based. */
  readonly markedLines?: readonly number[] | undefined;
}

/** Code with line numbers in a plain text field: every assistive tool, undo and selection work as anywhere. */
export function CodeEditor({ value, markedLines = [], className, rows = 12, ...rest }: CodeEditorProps) {
  const wiring = useFieldProps();
  const gutter = useRef<HTMLDivElement>(null);
  const lines = value.split('\n').length;
  return (
    <div
      className={cn(
        'flex overflow-hidden rounded-control border border-edge bg-surface font-mono text-meta has-aria-invalid:border-danger has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2',
        className,
      )}
    >
      <div
        ref={gutter}
        aria-hidden
        className="shrink-0 select-none overflow-hidden border-line border-r bg-sunken py-2 text-right text-ink-3 leading-5"
      >
        {Array.from({ length: lines }, (_, at) => at + 1).map((line) => (
          <div key={line} className={cn('px-2', markedLines.includes(line) && 'bg-danger-wash text-danger')}>
            {line}
          </div>
        ))}
      </div>
      <textarea
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        wrap="off"
        {...wiring}
        {...rest}
        value={value}
        onScroll={(event) => {
          if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
        className="min-w-0 grow resize-y bg-transparent px-2.5 py-2 leading-5 outline-none"
      />
    </div>
  );
}
