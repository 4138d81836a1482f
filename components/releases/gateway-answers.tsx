'use client';

import { Empty } from '#components/ui/empty.tsx';
import { plural } from '#components/ui/format-number.ts';
import { formatMs } from '#components/ui/format-time.ts';
import { GatewayStateWord } from '#components/ui/gateway-state-word.tsx';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ReleaseDetail, ReleaseRow } from '#server/contract/releases.ts';
import { countAnswers } from './answer-counts.ts';

type Answer = ReleaseDetail['gateways'][number];

interface GatewayAnswersProps {
  readonly release: ReleaseRow;
  readonly answers: readonly Answer[];
}

/** What each gateway said to a release: live and when, rejected and why, or nothing. */
export function GatewayAnswers({ release, answers }: GatewayAnswersProps) {
  return (
    <Ruled className="self-start">
      <Section
        title="Gateways"
        note={answers.length === 0 ? `answers to r${release.number}` : countAnswers(answers)}
        frame="ruled"
      >
        {answers.length === 0 ? (
          <Empty>Not live: no gateway is connected.</Empty>
        ) : (
          <Ledger
            label={`Gateways' answers to r${release.number}`}
            columns={columnsOf(release.number)}
            rows={answers}
            rowKey={(answer) => answer.gateway}
            href={(answer) => `/gateways?row=${encodeURIComponent(answer.gateway)}`}
          />
        )}
      </Section>
    </Ruled>
  );
}

const columnsOf = (release: number): readonly [LedgerColumn<Answer>, ...LedgerColumn<Answer>[]] => [
  {
    key: 'gateway',
    head: 'Gateway',
    cell: (answer) => (
      <>
        <Glyph kind="gateway" className="text-ink-3" />
        <bdi className="whitespace-nowrap font-mono">{answer.gateway}</bdi>
      </>
    ),
  },
  { key: 'state', head: 'State', phone: 'end', cell: (answer) => <GatewayStateWord state={answer.state} /> },
  { key: 'says', head: 'Answer', cell: (answer) => <AnswerWords answer={answer} release={release} /> },
  {
    key: 'after',
    head: 'After',
    align: 'right',
    cell: (answer) => (answer.afterMs === null ? <span className="text-ink-3">—</span> : formatMs(answer.afterMs)),
  },
  {
    key: 'at',
    head: 'At',
    align: 'right',
    phone: 'hide',
    cell: (answer) =>
      answer.atMs === null ? <span className="text-ink-3">—</span> : <Time ms={answer.atMs} style="second" />,
  },
];

function AnswerWords({ answer, release }: { readonly answer: Answer; readonly release: number }) {
  const still = answer.serves === null ? 'serves nothing' : `still serves r${answer.serves}`;
  if (answer.state === 'rejected') {
    return (
      <bdi>
        “{answer.reason}” It {still} (build {answer.version}).
      </bdi>
    );
  }
  if (answer.left) return <span className="text-ink-3">left since</span>;
  if (answer.state === 'waiting') return `serves r${answer.serves ?? '?'} until its stage opens`;
  if (answer.probesPassed !== null) return `${plural(answer.probesPassed, 'probe')} passed`;
  if (answer.serves !== null && answer.serves !== release) return `serves r${answer.serves}`;
  return <span className="text-ink-3">no answer yet</span>;
}
