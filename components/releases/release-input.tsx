'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { TextInput } from '#components/ui/text-input.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import { releasesQuery } from './queries.ts';

interface ReleaseInputProps {
  readonly label: string;
  /** The release that is chosen; undefined while there is none. */
  readonly value: number | undefined;
  readonly onChoose: (number: number) => void;
}

const OFFERED = 20;
const NUMBER = /^\s*r?([1-9]\d{0,8})\s*$/i;

/** Chooses a release by its number or by words of why it exists, found on the server. */
export function ReleaseInput({ label, value, onChoose }: ReleaseInputProps) {
  const listId = useId();
  const shown = value === undefined ? '' : `r${value}`;
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const isTyped = text !== shown;
  const q = useSettled(isTyped ? text.trim() : '', 150);
  const found = useQuery({
    ...releasesQuery({ q: q === '' ? undefined : q, limit: OFFERED }),
    placeholderData: keepPreviousData,
  });
  const offered = found.data?.items ?? [];
  const choose = (typed: string) => {
    const number = Number(NUMBER.exec(typed)?.[1]);
    if (!Number.isNaN(number) && number !== value) onChoose(number);
  };
  return (
    <span className="inline-grid">
      <TextInput
        aria-label={label}
        placeholder="r12, or words"
        list={listId}
        value={text}
        className="w-44"
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value);
          // A browser tells a choice from its list as a replacement, or as no typing at all.
          const { inputType } = event.nativeEvent as InputEvent;
          if (inputType === undefined || inputType === 'insertReplacementText') choose(event.target.value);
        }}
        onBlur={() => (NUMBER.test(text) ? choose(text) : setText(shown))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          const only = offered.length === 1 && q === text.trim() ? offered[0] : undefined;
          if (NUMBER.test(text)) choose(text);
          else if (only !== undefined) choose(String(only.number));
        }}
      />
      <datalist id={listId}>
        {offered.map(({ number, cause }) => (
          <option key={number} value={`r${number}`} label={`r${number} · ${cause}`} />
        ))}
      </datalist>
      {isTyped && q !== '' && found.isSuccess && offered.length === 0 && (
        <span role="status" className="text-ink-3 text-meta">
          No release matches.
        </span>
      )}
    </span>
  );
}
