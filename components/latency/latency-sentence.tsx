'use client';

import { usePreferences } from '#components/ui/preferences.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import { type SentencePart, sentenceParts } from './sentence-parts.ts';

/** What the window shows, said by rule: when, never because. */
export function LatencySentence({ sentence, fromMs }: { readonly sentence: string; readonly fromMs: number }) {
  return (
    <Sentence>
      {sentenceParts(sentence, fromMs).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have an order and nothing else
        <Part key={at} part={part} />
      ))}
    </Sentence>
  );
}

function Part({ part }: { readonly part: SentencePart }) {
  const { zone } = usePreferences();
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'figure':
      return <b>{part.text}</b>;
    case 'release':
      return (
        <Token kind="release" bare href={`/releases/${part.release}`}>
          r{part.release}
        </Token>
      );
    case 'moment':
      return (
        <>
          <Time ms={part.atMs} />
          {zone === 'utc' && ' UTC'}
        </>
      );
  }
}
