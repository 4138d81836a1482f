'use client';

import { useQuery } from '@tanstack/react-query';
import { messageOf } from '#components/api-client.ts';
import { rulesQuery } from '#components/releases/queries.ts';
import { useShell } from '#components/shell/queries.ts';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { EffectSummary } from './effect-summary.tsx';
import { publishWords } from './publish-words.ts';
import { useChangeAct } from './queries.ts';

/** Says what publishing does and waits for the release. */
export function PublishDialog({ detail, onClose }: { readonly detail: ChangeDetail; readonly onClose: () => void }) {
  const publish = useChangeAct(detail.row.number);
  const gateways = useShell().data?.gateways;
  const staged = useQuery(rulesQuery()).data?.rules.staged;
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
      <p>{publishWords(detail, { gateways, staged })}</p>
      <EffectSummary effects={detail.effects} />
    </ConfirmEffect>
  );
}
