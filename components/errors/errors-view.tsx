'use client';

import { useRef, useState } from 'react';
import { useShell } from '#components/shell/queries.ts';
import { cn } from '#components/ui/cn.ts';
import { CONTROL } from '#components/ui/control.ts';
import { Empty } from '#components/ui/empty.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { PathText } from '#components/ui/path-text.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { ScopeBar, ScopeSelect } from '#components/ui/scope-bar.tsx';
import { Section } from '#components/ui/section.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import { API_OPERATIONS } from '#gateway/contract/api/api-operations.ts';
import { errorExampleOf } from '#gateway/contract/api/error-examples.ts';
import { ERRORS, type ErrorCode } from '#gateway/contract/errors.ts';
import { ErrorRows } from './error-rows.tsx';
import { OperationRows } from './operation-rows.tsx';
import { SIDE_WORDS } from './side-words.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const BODY = JSON.stringify(errorExampleOf('forbidden'), null, 2);

/** The data API on one page: its operations, and every code that the gateway refuses with. */
export function ErrorsView() {
  const { search, set } = useUrlState();
  const side = search.get('side');
  const kept = search.get('q') ?? '';
  // What is typed filters at once; the URL gets it when the line is left, so that Back does not undo letters.
  const [typed, setTyped] = useState<string>();
  const words = typed ?? kept;
  const keep = () => {
    if (typed !== undefined && typed !== kept) set({ q: typed === '' ? null : typed });
    setTyped(undefined);
  };
  const calls = API_OPERATIONS.filter(({ id, method, path, summary }) => fits(words, [id, method, path, summary]));
  const codes = CODES.filter((code) => {
    const { status, advice, side: on } = ERRORS[code];
    return (side === null || on === side) && fits(words, [code, String(status), advice, SIDE_WORDS[on]]);
  });
  return (
    <>
      <PageHead title="API and errors">
        <Sentence size="prose">
          One call touches one object, its direct edges, or a batch of such calls. Every refusal carries one of{' '}
          {CODES.length} codes, which says whose side it is on and what to do; <code className="font-mono">help</code>{' '}
          in it leads to the page of that one request. <Description />
        </Sentence>
      </PageHead>
      <Filter words={words} onChange={setTyped} onLeave={keep} />
      <Section title="Operations" note={`${calls.length} of ${API_OPERATIONS.length}`} className="mt-6">
        <Ruled>
          {calls.length === 0 ? <Empty>No operation has these words.</Empty> : <OperationRows calls={calls} />}
        </Ruled>
      </Section>
      <Section
        title="Error codes"
        note={`${codes.length} of ${CODES.length}`}
        className="mt-8"
        acts={<Sides side={side} onChange={(value) => set({ side: value })} />}
      >
        {codes.length === 0 ? (
          <Ruled>
            <Empty>{side === null ? 'No code has these words.' : 'No code on this side has these words.'}</Empty>
          </Ruled>
        ) : (
          <ErrorRows codes={codes} label="Error codes" />
        )}
      </Section>
      <Section title="The body of a refusal" className="mt-8 max-w-2xl">
        <Snippet title="JSON" code={BODY} />
      </Section>
    </>
  );
}

/** Whether every word stands somewhere in the texts. */
function fits(words: string, texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Where programs read the same: the gateway serves it without a key. */
function Description() {
  const gatewayUrl = useShell().data?.gatewayUrl;
  if (gatewayUrl === undefined) return null;
  const url = `${gatewayUrl.replace(/\/$/, '')}/v1/openapi.json`;
  return (
    <>
      Programs read all of this as OpenAPI 3.1 at{' '}
      <TextLink href={url}>
        <PathText text={url} />
      </TextLink>
      .
    </>
  );
}

interface FilterProps {
  readonly words: string;
  readonly onChange: (words: string) => void;
  readonly onLeave: () => void;
}

function Filter({ words, onChange, onLeave }: FilterProps) {
  const ref = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: 'Focus the filter', run: () => ref.current?.focus() }]);
  return (
    <input
      ref={ref}
      type="search"
      aria-label="Filter operations and codes"
      placeholder="edge list, 429, policy"
      value={words}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeave}
      onKeyDown={(event) => event.key === 'Enter' && onLeave()}
      autoComplete="off"
      className={cn(CONTROL, 'max-w-md')}
    />
  );
}

interface SidesProps {
  readonly side: string | null;
  readonly onChange: (side: string | null) => void;
}

function Sides({ side, onChange }: SidesProps) {
  return (
    <ScopeBar>
      <ScopeSelect
        label="On the side of"
        value={side ?? ''}
        onChange={(value) => onChange(value === '' ? null : value)}
        options={[
          { value: '', label: 'all' },
          ...Object.entries(SIDE_WORDS).map(([value, label]) => ({ value, label })),
        ]}
      />
    </ScopeBar>
  );
}
