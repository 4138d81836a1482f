'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { cn } from './cn.ts';
import { CONTROL } from './control.ts';
import { type Completion, completionsAt, type FilterKey } from './filter-completions.ts';
import { parseFilter } from './parse-filter.ts';
import { useShortcuts } from './shortcuts.tsx';

interface FilterLineProps {
  /** What is filtered: "Filter audit rows". */
  readonly label: string;
  /** Example in the empty line: `tenant:chat -did:read`. */
  readonly example: string;
  readonly keys: readonly FilterKey[];
  /** The committed text, from the URL. */
  readonly value: string;
  /** Enter, leaving the field, or clearing it. Push it to the URL. */
  readonly onCommit: (text: string) => void;
  /** The server could not read it: its sentence. */
  readonly error?: string | undefined;
  readonly className?: string | undefined;
}

/** One line of typed tokens and free text, completed as it is typed; `/` focuses it. On a phone it folds into *Filters (2)*. */
export function FilterLine(props: FilterLineProps) {
  const [isOpen, setOpen] = useState(false);
  const count = parseFilter(props.value).length;
  return (
    <div className={cn('min-w-0', props.className)}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="min-h-8 rounded-control border border-edge bg-surface px-3 tablet:hidden pointer-coarse:min-h-11"
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </button>
      <div className={cn('max-tablet:mt-2', !isOpen && 'max-tablet:hidden')}>
        <FilterInput {...props} />
      </div>
    </div>
  );
}

function FilterInput({ label, example, keys, value, onCommit, error }: FilterLineProps) {
  const ref = useRef<HTMLInputElement>(null);
  const id = useId();
  const [text, setText] = useState(value);
  const [list, setList] = useState<readonly Completion[]>([]);
  const [active, setActive] = useState(-1);
  useEffect(() => setText(value), [value]);
  useShortcuts([{ keys: '/', label: 'Focus the filter', run: () => ref.current?.focus() }]);

  const suggest = (next: string, caret: number) => {
    setText(next);
    setList(completionsAt(next, caret, keys));
    setActive(-1);
  };
  const commit = () => {
    setList([]);
    const clean = text.trim().replace(/\s+/g, ' ');
    if (clean !== value) onCommit(clean);
  };
  const choose = (completion: Completion) => {
    suggest(completion.text, completion.caret);
    requestAnimationFrame(() => ref.current?.setSelectionRange(completion.caret, completion.caret));
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLInputElement>) => {
    const chosen = list[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.length === 0) suggest(text, event.currentTarget.selectionStart ?? text.length);
      else setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : -1) + list.length) % list.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen === undefined) commit();
      else choose(chosen);
    } else if (event.key === 'Escape' && list.length > 0) {
      event.stopPropagation();
      setList([]);
    }
  };

  return (
    <div className="relative">
      <input
        ref={ref}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={list.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active === -1 ? undefined : `${id}-${active}`}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        autoComplete="off"
        spellCheck={false}
        placeholder={example}
        value={text}
        onChange={(event) => suggest(event.target.value, event.target.selectionStart ?? event.target.value.length)}
        onFocus={() => suggest(text, text.length)}
        onBlur={commit}
        onKeyDown={onKeyDown}
        className={cn(CONTROL, 'pr-16 font-mono text-meta')}
      />
      {text !== '' && (
        <button
          type="button"
          onClick={() => {
            setText('');
            onCommit('');
          }}
          className="-translate-y-1/2 absolute top-4 right-1.5 min-h-6 rounded-control px-2 text-ink-3 text-meta hover:text-ink pointer-coarse:top-5.5"
        >
          Clear
        </button>
      )}
      {list.length > 0 && <Completions id={id} list={list} active={active} onChoose={choose} />}
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-danger text-meta">
          {error}
        </p>
      )}
    </div>
  );
}

interface CompletionsProps {
  readonly id: string;
  readonly list: readonly Completion[];
  readonly active: number;
  readonly onChoose: (completion: Completion) => void;
}

function Completions({ id, list, active, onChoose }: CompletionsProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Completions"
      className="overlay absolute top-full left-0 z-30 mt-1 w-80 max-w-full rounded-overlay border border-line bg-surface p-1 shadow-overlay"
    >
      {list.map((completion, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the line; aria-activedescendant names the option
        <div
          key={completion.label}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          // The line must not lose focus, since that commits it.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(completion);
          }}
          className={cn(
            'flex min-h-7 items-center gap-3 rounded-control px-2',
            at === active ? 'bg-accent-wash' : 'hover:bg-sunken',
          )}
        >
          <span className="font-mono text-meta">{completion.label}</span>
          <span className="text-ink-3 text-meta">{completion.about}</span>
        </div>
      ))}
    </div>
  );
}
