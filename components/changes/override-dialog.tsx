'use client';

import { messageOf } from '#components/api-client.ts';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import { useOverride } from './queries.ts';

interface OverrideDialogProps {
  readonly detail: ChangeDetail;
  readonly finding: Finding;
  readonly onClose: () => void;
}

/** An admin takes a blocking finding on themselves, with a reason. */
export function OverrideDialog({ detail, finding, onClose }: OverrideDialogProps) {
  const override = useOverride(detail.row.number);
  const { kind, name, code } = finding;
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Override ${code} of ${name}?`}
      act="Override"
      reason="required"
      pending={override.isPending}
      error={override.isError ? <p className="text-danger">{messageOf(override.error)}</p> : undefined}
      onConfirm={(reason) =>
        override.mutate({ kind, name, code, reason, contentHash: detail.contentHash }, { onSuccess: onClose })
      }
    >
      <p>{finding.message}</p>
      <p>
        It then warns instead of blocking, for the change as it stands now; an edit brings it back. Every reviewer and
        the audit log read your name and reason.
      </p>
    </ConfirmEffect>
  );
}
