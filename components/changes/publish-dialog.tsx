'use client';

import { messageOf } from '#components/api-client.ts';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { EffectSummary } from './effect-summary.tsx';
import { useChangeAct } from './queries.ts';

/** Says what publishing does and waits for the release. */
export function PublishDialog({ detail, onClose }: { readonly detail: ChangeDetail; readonly onClose: () => void }) {
  const publish = useChangeAct(detail.row.number);
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Publish ∆${detail.row.number}?`}
      act="Publish"
      pending={publish.isPending}
      error={publish.isError ? <p className="text-danger">{messageOf(publish.error)}</p> : undefined}
      onConfirm={() => publish.mutate({ act: 'publish', contentHash: detail.contentHash }, { onSuccess: onClose })}
    >
      <p>
        {detail.emergency
          ? 'It becomes the next release and goes to all gateways at once.'
          : 'It becomes the next release. With several gateways it goes to one first and then on; while another release goes out it waits for that. This page shows each step.'}
      </p>
      <EffectSummary effects={detail.effects} />
    </ConfirmEffect>
  );
}
