'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Token } from '#components/ui/token.tsx';
import type { ReleaseDetail } from '#server/contract/releases.ts';
import type { RolloutView } from '#server/contract/rollouts.ts';
import { EvidenceTable } from './evidence-table.tsx';
import { useRolloutAct } from './queries.ts';
import { StageList } from './stage-list.tsx';

interface RolloutPanelProps {
  readonly detail: ReleaseDetail;
  readonly rollout: RolloutView;
}

/** How a release goes out: its stages, what the next one waits for, what is measured, what waits behind it, and the acts. */
export function RolloutPanel({ detail, rollout }: RolloutPanelProps) {
  const { number } = detail.row;
  const isOpen = rollout.waitsFor !== null;
  return (
    <Ruled>
      <Section title="Rollout" note={<RolloutWord rollout={rollout} />} frame="ruled">
        <div className="grid gap-4 p-4">
          <StageList rollout={rollout} gateways={detail.gateways} />
          {rollout.waitsFor !== null && <p className="text-prose">{withoutEvidence(rollout)}</p>}
          {rollout.evidence !== null && (
            <EvidenceTable evidence={rollout.evidence} release={number} base={rollout.base} />
          )}
          {rollout.queue.length > 0 && <Queue queue={rollout.queue} release={number} />}
          {isOpen && <Acts detail={detail} rollout={rollout} />}
        </div>
      </Section>
    </Ruled>
  );
}

/** What the next stage waits for, without what the evidence below it says in the same words. */
function withoutEvidence({ waitsFor, evidence }: RolloutView): string {
  return evidence === null ? (waitsFor ?? '') : (waitsFor ?? '').replace(`${evidence.says} `, '');
}

function RolloutWord({ rollout }: { readonly rollout: RolloutView }) {
  switch (rollout.state) {
    case 'rolling':
      return (
        <StateWord mark="half" tone="busy">
          Stage {rollout.stage} of {rollout.stages.length + 1}
        </StateWord>
      );
    case 'halted':
      return (
        <StateWord mark="square" tone="danger">
          Halted at stage {rollout.stage} of {rollout.stages.length + 1}
        </StateWord>
      );
    case 'done':
      return (
        <StateWord mark="check" tone="ok">
          Done
        </StateWord>
      );
    case 'ended':
      return (
        <StateWord mark="back" tone="neutral">
          Ended before all gateways had it
        </StateWord>
      );
  }
}

function Queue({ queue, release }: { readonly queue: RolloutView['queue']; readonly release: number }) {
  return (
    <div>
      <p className="text-ink-2">Waits for r{release} and is then published by itself:</p>
      <ul className="mt-1 grid gap-1">
        {queue.map(({ change, cause, by, atMs }) => (
          <li key={`${change ?? 'keys'} ${atMs}`}>
            {change === null ? (
              <bdi>{cause}</bdi>
            ) : (
              <Token kind="change" bare href={`/changes/${change}`}>
                {cause}
              </Token>
            )}{' '}
            · {by.name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Acts({ detail, rollout }: RolloutPanelProps) {
  const act = useRolloutAct(detail.row.number);
  const [isHalting, setHalting] = useState(false);
  const { may } = detail;
  const { stage, stages, state } = rollout;
  const isLast = stage > stages.length;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {state === 'halted' && (
          <Button
            look="primary"
            pending={act.isPending}
            disabledWhy={may.resume.may ? undefined : may.resume.why}
            onClick={() => act.mutate({ act: 'resume', stage })}
          >
            Resume
          </Button>
        )}
        <Button
          look={state === 'halted' ? 'secondary' : 'primary'}
          pending={act.isPending}
          disabledWhy={may.promote.may ? undefined : may.promote.why}
          onClick={() => act.mutate({ act: 'promote', stage })}
        >
          {isLast ? 'End rollout' : `Open stage ${stage + 1}`}
        </Button>
        {state === 'rolling' && (
          <Button look="danger" disabledWhy={may.halt.may ? undefined : may.halt.why} onClick={() => setHalting(true)}>
            Halt
          </Button>
        )}
      </div>
      {act.isError && !isHalting && (
        <p role="alert" className="text-danger">
          {messageOf(act.error)}
        </p>
      )}
      {isHalting && (
        <ConfirmEffect
          open
          onClose={() => setHalting(false)}
          title={`Halt r${detail.row.number}?`}
          act="Halt rollout"
          look="danger"
          reason="required"
          pending={act.isPending}
          error={act.isError ? <p className="text-danger">{messageOf(act.error)}</p> : undefined}
          onConfirm={(reason) => act.mutate({ act: 'halt', stage, reason }, { onSuccess: () => setHalting(false) })}
        >
          <p>
            No further stage opens. Gateways that have r{detail.row.number} keep it; roll it back to take it from them.
          </p>
          <p>Publishes that wait for it go on waiting.</p>
        </ConfirmEffect>
      )}
    </div>
  );
}
